import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { isDatabaseAway } from "@/lib/db/failures";
import { brokenLogConnections, db, hotDb, inTransaction, logDb, type Transaction } from "@/lib/db/pool";

useServiceDatabase();
beforeAll(() => db().query("CREATE TABLE notes (id int PRIMARY KEY)"));

beforeEach(() => db().query("TRUNCATE notes"));

const write = (tx: Transaction, id: number) => tx.query("INSERT INTO notes VALUES ($1)", [id]);
const written = async () =>
  (await db().query<{ id: number }>("SELECT id FROM notes ORDER BY id")).rows.map(({ id }) => id);

describe.each([
  ["sends without waiting", hotDb],
  ["waits for each answer", db],
])("a transaction on a pool that %s", (_how, pool) => {
  it("is there as a whole when its work has returned, also where the commit was sent with its last statement", async () => {
    const result = await inTransaction(async (tx, sendCommit) => {
      await write(tx, 1);
      const last = write(tx, 2);
      sendCommit();
      await last;
      return "done";
    }, pool());
    expect(result).toBe("done");
    expect(await written()).toEqual([1, 2]);
  });

  it("leaves nothing when its last statement is refused, though the commit was sent behind it, and says why", async () => {
    const failing = inTransaction(async (tx, sendCommit) => {
      await write(tx, 1);
      const last = write(tx, 1);
      sendCommit();
      await last;
    }, pool());
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(await written()).toEqual([]);
    await inTransaction((tx) => write(tx, 3), pool());
    expect(await written()).toEqual([3]);
  });

  it("leaves nothing when its work throws", async () => {
    const failing = inTransaction(async (tx) => {
      await write(tx, 1);
      throw new Error("No.");
    }, pool());
    await expect(failing).rejects.toThrow("No.");
    expect(await written()).toEqual([]);
  });
});

describe.each([
  ["hot paths", hotDb],
  ["logs", logDb],
])("the pool of %s", (_what, pool) => {
  it("ends a statement that takes too long, and tells the database as away", async () => {
    const { rows } = await pool().query("SHOW statement_timeout");
    expect(rows[0].statement_timeout).toBe("30s");
    const late = pool().query({ text: "SELECT pg_sleep(60)", query_timeout: 50 } as { text: string });
    const error = await late.catch((thrown: unknown) => thrown);
    expect(isDatabaseAway(error)).toBe(true);
    expect(isDatabaseAway({ code: "57014" })).toBe(true);
    expect(pool().options).toMatchObject({ query_timeout: 30_000 });
  });
});

it.each([
  ["everything else", db],
  ["hot paths", hotDb],
  ["logs", logDb],
])("the pool of %s leaves no locks for long to a process that stands still in mid-transaction", async (_what, pool) => {
  const { rows } = await pool().query("SHOW idle_in_transaction_session_timeout");
  expect(rows[0].idle_in_transaction_session_timeout).toBe("10s");
  expect(isDatabaseAway({ code: "25P03" })).toBe(true);
});

it("counts a connection of the logs that gave no answer in time as broken, and no refused statement", async () => {
  const before = brokenLogConnections();
  await expect(logDb().query("SELECT 1 / 0")).rejects.toThrow("division by zero");
  expect(brokenLogConnections()).toBe(before);
  const late = logDb().query({ text: "SELECT pg_sleep(60)", query_timeout: 50 } as { text: string });
  await expect(late).rejects.toThrow("Query read timeout");
  expect(brokenLogConnections()).toBe(before + 1);
});

it.each([
  ["main", db],
  ["hot", hotDb],
  ["log", logDb],
])("finds dead connections of the %s pool before the system would ask", (_name, pool) => {
  expect(pool().options).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis: 10_000 });
});

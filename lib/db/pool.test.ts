import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { closePools, db, hotDb, inTransaction, type Transaction } from "@/lib/db/pool";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  process.env.DATABASE_URL = database.url;
  await db().query("CREATE TABLE notes (id int PRIMARY KEY)");
});

afterAll(async () => {
  await closePools();
  await database.drop();
});

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

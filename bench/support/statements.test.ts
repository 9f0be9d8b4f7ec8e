import { Client } from "pg";
import { expect, it } from "vitest";
import { fillHistory } from "@/bench/support/growth/fill-history";
import { GROWN_ACCOUNT } from "@/bench/support/growth/grown-account";
import { acceptBare } from "@/bench/support/tasks/accept-bare";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { createTestDatabase } from "@/e2e/support/test-database";
import { db } from "@/lib/db/pool";

/** What the benchmarks write by themselves follows the tables: a column that is new would else break them unseen. */

const database = useServiceDatabase();

it("accepts by the bare statement what a call has to have on disk", async () => {
  const account = await createTestAccount();
  const perSecond = await acceptBare({
    databaseUrl: database.url,
    accounts: [account],
    connections: 1,
    seconds: 60,
    requests: 2,
  });
  expect(perSecond).toBeGreaterThan(0);
  const { rows } = await db().query(
    `SELECT count(*)::int AS turns, count(m)::int AS messages, (SELECT count(*)::int FROM outbox_events) AS outbox
     FROM turns t LEFT JOIN messages m ON m.turn_id = t.id WHERE t.account_id = $1`,
    [account.accountId],
  );
  // One more, with which the statement is prepared.
  expect(rows).toEqual([{ turns: 3, messages: 3, outbox: 3 }]);
});

it("fills each table of a past that it names, and makes every index that it took away", async () => {
  const { url, drop } = await createTestDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  const indexes = async () => (await client.query("SELECT indexname, indexdef FROM pg_indexes ORDER BY 1")).rows;
  try {
    const before = await indexes();
    const said: string[] = [];
    await fillHistory(url, { sessions: 2_000, calls: 2_000 }, (line) => said.push(line));
    expect(said.filter((line) => / 0 rows /.test(line))).toEqual([]);
    expect(await indexes()).toEqual(before);
    const { rows } = await client.query("SELECT count(*)::int AS sessions FROM sessions WHERE account_id = $1", [
      GROWN_ACCOUNT.accountId,
    ]);
    // One in twenty is another account's.
    expect(rows).toEqual([{ sessions: 1_900 }]);
  } finally {
    await client.end();
    await drop();
  }
});

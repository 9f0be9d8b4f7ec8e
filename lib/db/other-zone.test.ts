import { Client } from "pg";
import { beforeAll, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { databaseNow } from "@/lib/db/database-now";
import { db, hotDb, logDb } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";

const database = useServiceDatabase();

/** As a server's settings say it that were made on a machine there; before the first connection of the pools. */
beforeAll(async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`ALTER DATABASE ${client.database} SET timezone = 'America/Los_Angeles'`);
  await client.end();
});

it("reads times as they are from a database whose own zone is another", async () => {
  const { accountId } = await createTestAccount();
  const { createdAt } = await prisma().account.findUniqueOrThrow({ where: { id: accountId } });
  const { rows } = await db().query("SELECT created_at FROM accounts WHERE id = $1", [accountId]);
  expect(rows).toEqual([{ created_at: createdAt }]);
  expect(Math.abs((await databaseNow(prisma())).getTime() - Date.now())).toBeLessThan(3_600_000);
});

it.each([
  ["most", db],
  ["hot paths", hotDb],
  ["logs", logDb],
])("has days of 24 hours in the pool of %s", async (_what, pool) => {
  const text = "SELECT timestamptz '2026-03-09 00:00Z' - make_interval(days => 1) AS before";
  expect((await pool().query(text)).rows).toEqual([{ before: new Date("2026-03-08T00:00:00.000Z") }]);
});

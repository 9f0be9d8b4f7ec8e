import { beforeEach, expect, it } from "vitest";
import { seedDelivery } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { eraseRows } from "@/lib/services/data-rights/erase-rows";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

it("leaves no row behind that somebody else was just changing", async () => {
  const { accountId, projectId } = account;
  await db().query("INSERT INTO end_users (project_id, end_user_id) VALUES ($1, 'ann')", [projectId]);
  const [erased] = await whileHeld(
    { statement: "UPDATE end_users SET last_seen_at = now() WHERE project_id = $1", id: projectId },
    () =>
      eraseRows({
        table: "end_users",
        where: "t.project_id IN (SELECT id FROM projects WHERE account_id = $1)",
        values: [accountId],
      }),
  );
  expect(erased).toEqual({ status: "fulfilled", value: 1 });
  expect((await db().query("SELECT 1 FROM end_users WHERE project_id = $1", [projectId])).rowCount).toBe(0);
});

it("leaves a delivery that is no longer what is to go when it is let go", async () => {
  const { id } = await seedDelivery({ ...account, url: "https://a.example/" });
  await db().query("UPDATE webhook_deliveries SET status = 'failed' WHERE id = $1", [id]);
  const [erased] = await whileHeld(
    { statement: "UPDATE webhook_deliveries SET status = 'pending' WHERE id = $1", id },
    () =>
      eraseRows({
        table: "webhook_deliveries",
        where: "t.account_id = $1 AND t.status = 'failed'",
        values: [account.accountId],
      }),
  );
  expect(erased).toEqual({ status: "fulfilled", value: 0 });
  expect((await db().query("SELECT 1 FROM webhook_deliveries WHERE id = $1", [id])).rowCount).toBe(1);
});

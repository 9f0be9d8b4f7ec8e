import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db, inTransaction } from "@/lib/db/pool";
import { addUpSessions, countProjectSessions } from "@/lib/services/sessions/count-sessions";

useServiceDatabase();

/** Sessions of which one in four is a processing. */
async function addSessions({ accountId, projectId }: TestAccount, count: number, age = "1 hour"): Promise<void> {
  await db().query(
    `INSERT INTO sessions (id, account_id, project_id, kind, status, created_at)
     SELECT 'ses_' || gen_random_uuid(), $1, $2, CASE WHEN i % 4 = 0 THEN 'process' ELSE 'chat' END, 'completed',
            now() - $4::interval
     FROM generate_series(1, $3::int) i`,
    [accountId, projectId, count, age],
  );
}

const DELETE_SOME = `
  DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE project_id = $1 AND kind = 'chat' ORDER BY id LIMIT $2)`;

async function countedBefore({ projectId }: TestAccount): Promise<number> {
  const { rows } = await db().query<{ n: number }>(
    "SELECT chats + processes AS n FROM session_counts WHERE project_id = $1",
    [projectId],
  );
  return rows[0]?.n ?? 0;
}

async function isSomebodyWaiting(): Promise<boolean> {
  const { rowCount } = await db().query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rowCount !== 0;
}

describe("the number of a project's sessions", () => {
  it("is exact before and after the past is counted, and of each kind", async () => {
    const account = await createTestAccount();
    expect(await countProjectSessions(account.projectId)).toBe(0);
    await addSessions(account, 600);
    for (let time = 0; time < 3; time++) {
      expect(await countProjectSessions(account.projectId)).toBe(600);
      expect(await countProjectSessions(account.projectId, "chat")).toBe(450);
      expect(await countProjectSessions(account.projectId, "process")).toBe(150);
    }
    expect(await countedBefore(account)).toBe(600);
    await addSessions(account, 12, "0 seconds");
    expect(await countProjectSessions(account.projectId)).toBe(612);
  });

  it("leaves what has just come to the next time, and counts it once", async () => {
    const account = await createTestAccount();
    await addSessions(account, 600);
    await addSessions(account, 700, "1 second");
    expect(await countProjectSessions(account.projectId)).toBe(1_300);
    expect(await countedBefore(account)).toBe(600);
    expect(await countProjectSessions(account.projectId)).toBe(1_300);
  });

  it("is of the project alone", async () => {
    const [mine, theirs] = [await createTestAccount(), await createTestAccount()];
    await addSessions(theirs, 600);
    await countProjectSessions(theirs.projectId);
    expect(await countProjectSessions(mine.projectId)).toBe(0);
    await db().query("DELETE FROM sessions WHERE project_id = $1", [theirs.projectId]);
    expect(await countProjectSessions(theirs.projectId)).toBe(0);
  });

  it("falls with what is deleted, counted or not", async () => {
    const account = await createTestAccount();
    await addSessions(account, 600);
    await countProjectSessions(account.projectId);
    await addSessions(account, 40, "0 seconds");
    await db().query("DELETE FROM sessions WHERE project_id = $1 AND kind = 'process'", [account.projectId]);
    expect(await countProjectSessions(account.projectId)).toBe(480);
    expect(await countProjectSessions(account.projectId, "process")).toBe(0);
  });

  it("is right when sessions go while they are counted for the first time", async () => {
    const account = await createTestAccount();
    await addSessions(account, 600);
    let counting: Promise<number> | undefined;
    await inTransaction(async (tx) => {
      await tx.query(DELETE_SOME, [account.projectId, 10]);
      counting = countProjectSessions(account.projectId);
      while (!(await isSomebodyWaiting())) await setImmediate();
    });
    await counting;
    expect(await countProjectSessions(account.projectId)).toBe(590);
  });

  it("leaves the counting to the next time while sessions go that were counted before", async () => {
    const account = await createTestAccount();
    await addSessions(account, 600, "2 days");
    await countProjectSessions(account.projectId);
    await db().query("UPDATE session_counts SET counted_until = now() - interval '1 day' WHERE project_id = $1", [
      account.projectId,
    ]);
    await addSessions(account, 600);
    await inTransaction(async (tx) => {
      await tx.query(DELETE_SOME, [account.projectId, 10]);
      expect(await countProjectSessions(account.projectId)).toBe(1_200);
    });
    for (let time = 0; time < 2; time++) expect(await countProjectSessions(account.projectId)).toBe(1_190);
    expect(await countedBefore(account)).toBe(1_190);
  });

  it("has what came at the very moment until which was counted once, before and after the next count", async () => {
    const account = await createTestAccount();
    await addSessions(account, 600);
    await countProjectSessions(account.projectId);
    const moment = "(SELECT counted_until FROM session_counts WHERE project_id = $1)";
    await db().query("UPDATE session_counts SET counted_until = now() - interval '30 minutes' WHERE project_id = $1", [
      account.projectId,
    ]);
    await addSessions(account, 1, "0 seconds");
    await db().query(
      `UPDATE sessions SET created_at = ${moment} WHERE project_id = $1 AND created_at > now() - interval '1 minute'`,
      [account.projectId],
    );
    expect(await countProjectSessions(account.projectId)).toBe(601);
    await addUpSessions(account.projectId);
    expect(await countProjectSessions(account.projectId)).toBe(601);
  });

  it("counts nothing anew when the clock was set back", async () => {
    const account = await createTestAccount();
    await addSessions(account, 8);
    await addUpSessions(account.projectId);
    await addSessions(account, 4, "2 minutes");
    // As a clock that was ahead has counted them.
    await db().query(
      "UPDATE session_counts SET counted_until = now() - interval '1 minute', chats = 9, processes = 3 WHERE project_id = $1",
      [account.projectId],
    );
    for (let time = 0; time < 2; time++) {
      expect(await countProjectSessions(account.projectId)).toBe(12);
      await addUpSessions(account.projectId);
    }
  });

  it("goes with its project", async () => {
    const account = await createTestAccount();
    await addSessions(account, 600);
    await countProjectSessions(account.projectId);
    await db().query("DELETE FROM accounts WHERE id = $1", [account.accountId]);
    const { rowCount } = await db().query("SELECT 1 FROM session_counts WHERE project_id = $1", [account.projectId]);
    expect(rowCount).toBe(0);
  });
});

import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { db, inTransaction } from "@/lib/db/pool";
import { countAccount } from "@/lib/services/account/count-account";
import { addUpEndUsers } from "@/lib/services/end-users/count-end-users";
import { addUpAllSessions, addUpSessions } from "@/lib/services/sessions/count-sessions";
import { expireSessions } from "@/lib/services/sessions/expire-sessions";
import { listChatSessions, listProcesses } from "@/lib/services/sessions/list-sessions";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import type { TurnEnd } from "@/lib/services/turns/turn-end";

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

type End = "completed" | "failed" | "canceled";

const ENDS: Record<End, TurnEnd> = {
  completed: completedEnd(),
  failed: { status: "failed", errorCode: "MODEL_UNAVAILABLE", errorMessage: "No." },
  canceled: { status: "canceled", errorCode: "CANCELED", errorMessage: "Stop." },
};

/** One input and its end; of a session that is there, or of a new one. */
async function work(end: End, sessionId?: string): Promise<string> {
  const accepted = await acceptTurn(account.principal, chatTurn({ sessionId }));
  await endTurn(accepted.turnId, null, ENDS[end]);
  return accepted.sessionId;
}

const expireAll = () => expireSessions({ now: new Date(Date.now() + 3 * 3_600_000) });

/** What is counted, whatever of it was added up before. */
async function expectCounts(expected: Partial<Awaited<ReturnType<typeof countAccount>>>) {
  expect(await countAccount(account.accountId)).toMatchObject(expected);
  await addUpSessions(account.projectId);
  expect(await countAccount(account.accountId)).toMatchObject(expected);
}

async function totalOf(status: "completed" | "failed" | "canceled" | "expired"): Promise<number> {
  const { pagination } = await listChatSessions(account.principal, { limit: 1, offset: 0, status });
  return pagination.total;
}

describe("the counts of an account", () => {
  it("know how work ended, before and after its session expired", async () => {
    for (const end of ["completed", "completed", "failed", "failed", "failed", "canceled"] as const) await work(end);
    await expectCounts({ sessions: 6, completed: 2, failed: 3 });
    await expireAll();
    await expectCounts({ sessions: 6, completed: 2, failed: 3 });
    expect(await totalOf("expired")).toBe(6);
  });

  it("follow a session that expires, is continued and expires again", async () => {
    const sessionId = await work("failed");
    await expireAll();
    await expectCounts({ sessions: 1, completed: 0, failed: 1 });
    await work("completed", sessionId);
    await expectCounts({ sessions: 1, completed: 1, failed: 0 });
    expect([await totalOf("completed"), await totalOf("expired")]).toEqual([1, 0]);
    await expireAll();
    await expectCounts({ sessions: 1, completed: 1, failed: 0 });
    await work("canceled", sessionId);
    await expireAll();
    await expectCounts({ sessions: 1, completed: 0, failed: 0 });
    expect(await totalOf("expired")).toBe(1);
  });

  it("forget sessions that are deleted, however they had ended", async () => {
    const gone = [await work("completed"), await work("failed"), await work("canceled")];
    await work("failed");
    await expireAll();
    await expectCounts({ sessions: 4, completed: 1, failed: 2 });
    await db().query("DELETE FROM sessions WHERE id = ANY($1)", [gone]);
    await expectCounts({ sessions: 1, completed: 0, failed: 1 });
  });

  it("are right while a sweep expires sessions and another adds up", async () => {
    const ids: string[] = [];
    for (let number = 0; number < 20; number++) ids.push(await work("failed"));
    await inTransaction(async (tx) => {
      await tx.query("UPDATE sessions SET status = 'expired' WHERE id = ANY($1)", [ids.slice(0, 10)]);
      await addUpAllSessions();
      expect(await countAccount(account.accountId)).toMatchObject({ sessions: 20, failed: 20 });
    });
    await Promise.all([expireAll(), addUpAllSessions(), expireAll(), addUpAllSessions()]);
    await expectCounts({ sessions: 20, completed: 0, failed: 20 });
  });

  it("leave no change behind that nobody looks at", async () => {
    await work("failed");
    await expireAll();
    await addUpAllSessions();
    const { rows } = await db().query("SELECT 1 FROM session_count_changes");
    expect(rows).toEqual([]);
    expect(await countAccount(account.accountId)).toMatchObject({ sessions: 1, failed: 1 });
  });

  it("are of the account alone", async () => {
    await work("failed");
    await expireAll();
    const other = await createTestAccount();
    expect(await countAccount(other.accountId)).toEqual({ sessions: 0, completed: 0, failed: 0, endUsers: 0 });
  });

  it("go with their account", async () => {
    await work("failed");
    await expireAll();
    await countAccount(account.accountId);
    await db().query("DELETE FROM accounts WHERE id = $1", [account.accountId]);
    const { rows } = await db().query("SELECT 1 FROM session_count_changes WHERE project_id = $1", [account.projectId]);
    expect(rows).toEqual([]);
  });
});

describe("the total of a list", () => {
  const add = (kind: string, status: string, count: number, templateId: string | null, endUserId: string | null) =>
    db().query(
      `INSERT INTO sessions (id, account_id, project_id, kind, status, template_id, end_user_id)
       SELECT 'ses_' || gen_random_uuid(), $1, $2, $3, $4, $5, $6 FROM generate_series(1, $7::int)`,
      [account.accountId, account.projectId, kind, status, templateId, endUserId, count],
    );

  it("is that of all filters together, of what expired, too", async () => {
    await add("chat", "expired", 5, "tpl_a", "ada");
    await add("chat", "completed", 3, "tpl_a", "ada");
    await add("process", "expired", 4, "tpl_a", null);
    await add("process", "failed", 2, "tpl_b", "ada");
    await add("process", "expired", 7, null, "bob");
    const page = { limit: 1, offset: 0 };
    const chats = async (filters: object) =>
      (await listChatSessions(account.principal, { ...page, ...filters })).pagination.total;
    const processes = async (filters: object) =>
      (await listProcesses(account.principal, { ...page, ...filters })).pagination.total;
    expect(await chats({ status: "expired" })).toBe(16);
    expect(await processes({ status: "expired" })).toBe(11);
    expect(await chats({ status: "expired", templateId: "tpl_a" })).toBe(9);
    expect(await processes({ status: "expired", templateId: "tpl_a" })).toBe(4);
    expect(await chats({ status: "expired", endUserId: "ada" })).toBe(5);
    expect(await chats({ status: "expired", endUserId: "ada", templateId: "tpl_b" })).toBe(0);
    expect(await chats({ status: "completed", endUserId: "ada", templateId: "tpl_a" })).toBe(3);
    expect(await chats({ templateId: "tpl_a" })).toBe(12);
    expect(await processes({ endUserId: "ada" })).toBe(2);
    expect([await chats({ status: "failed" }), await processes({ status: "failed" })]).toEqual([2, 2]);
  });

  it("goes on beyond processings whose files have just been erased", async () => {
    await add("process", "completed", 3, null, null);
    const page = await listProcesses(account.principal, { limit: 2, offset: 0 });
    expect(page).toEqual({ data: [], pagination: { limit: 2, offset: 0, total: 3, hasMore: true } });
  });
});

describe("the number of end users", () => {
  const add = (from: number, to: number, age = "1 hour") =>
    db().query(
      `INSERT INTO end_users (project_id, end_user_id, created_at, last_seen_at)
       SELECT $1, 'user-' || n, now() - $4::interval, now() - $4::interval FROM generate_series($2::int, $3::int) n`,
      [account.projectId, from, to, age],
    );
  const endUsers = async () => (await countAccount(account.accountId)).endUsers;
  async function addedUp(): Promise<number> {
    const { rows } = await db().query<{ n: number }>(
      "SELECT end_users AS n FROM end_user_counts WHERE project_id = $1",
      [account.projectId],
    );
    return rows[0]?.n ?? 0;
  }

  it("is exact before and after they are added up, and counts who has just come once", async () => {
    await add(1, 600);
    for (let time = 0; time < 3; time++) expect(await endUsers()).toBe(600);
    expect(await addedUp()).toBe(600);
    await add(601, 612, "0 seconds");
    expect(await endUsers()).toBe(612);
    await add(613, 1_300, "1 second");
    for (let time = 0; time < 3; time++) expect(await endUsers()).toBe(1_300);
  });

  it("counts once who came just before they are added up, and who came at the very moment", async () => {
    await add(1, 600);
    await add(601, 605, "0 seconds");
    for (let time = 0; time < 2; time++) expect(await endUsers()).toBe(605);
    await db().query("UPDATE end_user_counts SET counted_until = now() - interval '30 minutes' WHERE project_id = $1", [
      account.projectId,
    ]);
    await db().query(
      `INSERT INTO end_users (project_id, end_user_id, created_at, last_seen_at)
       SELECT project_id, 'at-the-moment', counted_until, counted_until FROM end_user_counts WHERE project_id = $1`,
      [account.projectId],
    );
    expect(await endUsers()).toBe(606);
    await addUpEndUsers(account.projectId);
    expect(await endUsers()).toBe(606);
  });

  it("does not count again who is seen again", async () => {
    await add(1, 600, "2 days");
    await endUsers();
    await db().query("UPDATE end_users SET last_seen_at = now() - interval '1 hour' WHERE project_id = $1", [
      account.projectId,
    ]);
    await db().query("UPDATE end_user_counts SET counted_until = now() - interval '1 day' WHERE project_id = $1", [
      account.projectId,
    ]);
    for (let time = 0; time < 3; time++) expect(await endUsers()).toBe(600);
  });

  it("falls with who is erased, added up or not, also while they are added up", async () => {
    await add(1, 600);
    await endUsers();
    await add(601, 610, "0 seconds");
    await db().query("DELETE FROM end_users WHERE project_id = $1 AND end_user_id IN ('user-1', 'user-610')", [
      account.projectId,
    ]);
    expect(await endUsers()).toBe(608);
  });

  it("is right when somebody is erased while they are added up for the first time", async () => {
    await add(1, 600);
    let counting: Promise<number> | undefined;
    await inTransaction(async (tx) => {
      await tx.query("DELETE FROM end_users WHERE project_id = $1 AND end_user_id < 'user-2'", [account.projectId]);
      counting = endUsers();
      while (!(await isSomebodyWaiting())) await setImmediate();
    });
    await counting;
    const { rows } = await db().query<{ n: number }>("SELECT count(*) AS n FROM end_users WHERE project_id = $1", [
      account.projectId,
    ]);
    expect(rows[0]?.n).toBeLessThan(600);
    for (let time = 0; time < 2; time++) expect(await endUsers()).toBe(rows[0]?.n);
  });
});

async function isSomebodyWaiting(): Promise<boolean> {
  const { rowCount } = await db().query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rowCount !== 0;
}

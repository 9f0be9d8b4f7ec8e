import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, ownerOf, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import type { TurnErrorCode } from "@/lib/domain/turn-errors";
import { retrySession } from "@/lib/services/sessions/retry-session";
import { retrySessions } from "@/lib/services/sessions/retry-sessions";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { endTurn } from "@/lib/services/turns/end-turn";

useServiceDatabase();

let account: TestAccount;
beforeEach(async () => {
  account = await createTestAccount({ credits: 100 });
});

const ALL = { sessions: 100, milliseconds: 60_000 };

async function ended(
  how: "failed" | "completed" | "canceled",
  endUserId?: string,
  errorCode: TurnErrorCode = "MODEL_UNAVAILABLE",
): Promise<string> {
  const { sessionId, turnId } = await acceptTurn(account.principal, chatTurn({ endUserId }));
  if (how === "canceled") await cancelTurns(sessionId);
  else if (how === "completed") await endTurn(turnId, null, completedEnd());
  else await endTurn(turnId, null, { status: "failed", errorCode, errorMessage: "It is away." });
  return sessionId;
}

async function running(): Promise<string[]> {
  const { rows } = await db().query<{ id: string }>(
    "SELECT id FROM sessions WHERE project_id = $1 AND open_turns = 1 ORDER BY id",
    [account.projectId],
  );
  return rows.map(({ id }) => id);
}

describe("trying many sessions again", () => {
  it("begins what failed of those that the filters let through, once, and leaves the rest as it is", async () => {
    const mine = [await ended("failed", "ada"), await ended("failed", "ada")];
    await ended("failed", "bob");
    await ended("completed", "ada");
    await ended("canceled", "ada");
    const actor = await ownerOf(account);
    const filters = { status: "failed", endUserId: "ada" } as const;
    const done = { started: 2, refused: 0, unreadable: 0, why: null, hasMore: false };
    expect(await retrySessions(account.principal, filters, actor, ALL)).toEqual(done);
    expect(await running()).toEqual(mine.sort());
    expect(await retrySessions(account.principal, filters, actor, ALL)).toEqual({ ...done, started: 0 });
    const lines = await prisma().auditEntry.findMany({ where: { action: "session.retry-failed" } });
    expect(lines.filter(({ accountId }) => accountId === account.accountId)).toMatchObject([
      { subject: account.projectId, after: { status: "failed", endUserId: "ada", sessions: 2 } },
    ]);
  });

  it("leaves out what has a file that cannot be read, unless those alone are asked for", async () => {
    const unreadable = await ended("failed", "ada", "UNSUPPORTED_FILE");
    const failed = await ended("failed", "ada");
    const actor = await ownerOf(account);
    const all = { status: "unanswered" } as const;
    const done = await retrySessions(account.principal, all, actor, ALL);
    expect(done).toMatchObject({ started: 1, refused: 0, unreadable: 1 });
    expect(await running()).toEqual([failed]);
    const those = { ...all, errorCode: "UNSUPPORTED_FILE" } as const;
    expect(await retrySessions(account.principal, those, actor, ALL)).toMatchObject({ started: 1, unreadable: 0 });
    expect(await running()).toEqual([failed, unreadable].sort());
    const lines = await prisma().auditEntry.findMany({
      where: { action: "session.retry-failed", accountId: account.accountId },
      orderBy: { id: "asc" },
    });
    expect(lines.map(({ after }) => after)).toMatchObject([
      { sessions: 1 },
      { sessions: 1, errorCode: those.errorCode },
    ]);
  });

  it("tries again what failed with one code, of all that failed", async () => {
    const timedOut = await ended("failed", "ada", "MODEL_TIMEOUT");
    await ended("failed", "ada");
    await ended("canceled", "ada");
    const filters = { status: "failed", errorCode: "MODEL_TIMEOUT" } as const;
    const done = await retrySessions(account.principal, filters, await ownerOf(account), ALL);
    expect(done).toMatchObject({ started: 1, refused: 0, unreadable: 0 });
    expect(await running()).toEqual([timedOut]);
  });

  it("stands in the audit log as soon as the first is begun, whatever becomes of the process", async () => {
    const [older] = [await ended("failed"), await ended("failed")];
    const actor = await ownerOf(account);
    const where = { accountId: account.accountId, action: "session.retry-failed" };
    const meanwhile = async () => {
      expect(await running()).toHaveLength(1);
      expect(await prisma().auditEntry.findMany({ where })).toMatchObject([
        { actorId: actor.userId, after: { status: "failed", sessions: 2 } },
      ]);
    };
    const statement = "SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE";
    const press = () => retrySessions(account.principal, { status: "failed" }, actor, ALL);
    const [done] = await whileHeld({ statement, id: older, meanwhile }, press);
    expect(done).toMatchObject({ value: { started: 2 } });
    expect(await prisma().auditEntry.count({ where })).toBe(1);
  });

  it("finds what failed also where it expired since, and nothing that was answered or canceled", async () => {
    const failed = await ended("failed");
    await ended("completed");
    await ended("canceled");
    await db().query("UPDATE sessions SET status = 'expired' WHERE project_id = $1", [account.projectId]);
    const done = await retrySessions(account.principal, { status: "unanswered" }, await ownerOf(account), ALL);
    expect(done).toMatchObject({ started: 1, refused: 0 });
    expect(await running()).toEqual([failed]);
  });

  it("begins what was canceled where that is asked for", async () => {
    const canceled = await ended("canceled");
    await retrySessions(account.principal, { status: "canceled" }, await ownerOf(account), ALL);
    expect(await running()).toEqual([canceled]);
  });

  it("says that some are left, and goes on with those the next time", async () => {
    for (let count = 0; count < 5; count++) await ended("failed");
    const actor = await ownerOf(account);
    const some = () => retrySessions(account.principal, { status: "failed" }, actor, { ...ALL, sessions: 3 });
    expect(await some()).toMatchObject({ started: 3, hasMore: true });
    expect(await some()).toMatchObject({ started: 2, hasMore: false });
    expect(await running()).toHaveLength(5);
  });

  it("begins no more than there are credits for, and says why; none at all is refused", async () => {
    for (let count = 0; count < 3; count++) await ended("failed");
    const actor = await ownerOf(account);
    await db().query("UPDATE accounts SET credit_reserved = credit_balance - 2 WHERE id = $1", [account.accountId]);
    const all = () => retrySessions(account.principal, { status: "failed" }, actor, ALL);
    expect(await all()).toEqual({
      started: 2,
      refused: 0,
      unreadable: 0,
      why: expect.stringMatching(/credit/),
      hasMore: true,
    });
    await expect(all()).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
  });

  const CHANGES: [change: string, statement: string, why: RegExp][] = [
    [
      "the account is suspended",
      "UPDATE accounts SET verification_status = 'suspended' FROM held WHERE accounts.id = held.account_id",
      /suspended/,
    ],
    [
      "the project is switched off",
      "UPDATE projects SET api_enabled = false FROM held WHERE projects.id = held.project_id",
      /switched off/,
    ],
    ["the person is removed", "DELETE FROM members USING held WHERE members.account_id = held.account_id", /role/],
  ];
  it.each(CHANGES)("begins nothing more when %s meanwhile, and says why", async (_change, change, why) => {
    await ended("failed");
    const newest = await ended("failed");
    const actor = await ownerOf(account);
    const statement = `WITH held AS (SELECT * FROM sessions WHERE id = $1 FOR UPDATE) ${change}`;
    const press = () => retrySessions(account.principal, { status: "failed" }, actor, ALL);
    const [done] = await whileHeld({ statement, id: newest }, press);
    expect(done).toMatchObject({ value: { started: 1, refused: 0, why: expect.stringMatching(why), hasMore: true } });
    expect(await running()).toEqual([newest]);
    await expect(press()).rejects.toThrow(why);
  });

  it("is not held up by one that cannot be", async () => {
    await ended("failed");
    const odd = await ended("failed");
    await db().query("UPDATE turns SET callback_url = 'http://10.0.0.1/told' WHERE session_id = $1", [odd]);
    const done = await retrySessions(account.principal, { status: "failed" }, await ownerOf(account), ALL);
    expect(done).toEqual({
      started: 1,
      refused: 1,
      unreadable: 0,
      why: expect.stringMatching(/HTTPS/i),
      hasMore: false,
    });
  });

  it("touches no other project's", async () => {
    await ended("failed");
    const other = await addTestProject(account, "Other");
    const principal = { ...account.principal, projectId: other.projectId };
    const done = await retrySessions(principal, { status: "failed" }, await ownerOf(account), ALL);
    expect(done).toMatchObject({ started: 0, refused: 0 });
    expect(await running()).toEqual([]);
  });
});

describe("trying one session again", () => {
  it("is a line of the audit log, together with the turn or not at all", async () => {
    const sessionId = await ended("failed");
    const actor = await ownerOf(account);
    await retrySession(account.principal, sessionId, { actor });
    await expect(retrySession(account.principal, sessionId, { actor })).rejects.toMatchObject({ code: "NOT_READY" });
    const where = { action: "session.retry", subject: sessionId };
    expect(await prisma().auditEntry.findMany({ where })).toMatchObject([{ accountId: account.accountId }]);
  });
});

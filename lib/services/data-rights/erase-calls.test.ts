import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findInDatabase } from "@/e2e/support/canary-search";
import { callWithKey, takeKey } from "@/e2e/support/keyed-calls";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db, inTransaction, type Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import type { CallLogEntry } from "@/lib/services/call-log/call-log-entry";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { requestErasure } from "@/lib/services/data-rights/request-end-user-data";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { deleteSession } from "@/lib/services/sessions/delete-session";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "erase-calls-"));
});
const database = useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));

afterAll(() => rm(dataDir, { recursive: true }));

const canary = () => `canary${randomBytes(6).toString("hex")}`;

/** Logs a call from a program that calls itself by the text. */
function logCall(account: TestAccount, text: string, more: Partial<CallLogEntry>): Promise<void> {
  const call: CallLogEntry = {
    id: newId("call"),
    accountId: account.accountId,
    projectId: account.projectId,
    apiKeyId: account.principal.apiKeyId,
    requestId: newId("request"),
    endpoint: "GET /chat/:sessionId/stream",
    path: "/api/v1/chat/some/stream",
    status: 200,
    errorCode: null,
    durationMs: 1,
    ip: "203.0.113.7",
    userAgent: text,
    sessionId: null,
    endUserId: null,
    isStart: false,
    summary: {},
    receivedAtMs: performance.now(),
    ...more,
  };
  return writeCalls([call]);
}

/** A call with a key of idempotency that holds the text, and that made no turn; it is not logged yet. */
async function keyWithoutTurn(account: TestAccount, text: string, sessionId: string): Promise<string> {
  const claim = await takeKey(account, `${text} again`);
  await inTransaction((tx) => keepResponse(tx, claim, { sessionId }));
  return claim.requestId;
}

/** A session of an end user, begun by a call with a key of idempotency that holds the text. */
async function startSession(account: TestAccount, endUserId: string): Promise<string> {
  const { requestId, sessionId } = await callWithKey(account, endUserId);
  await logCall(account, endUserId, { endpoint: "POST /chat", status: 202, requestId, sessionId, endUserId });
  return sessionId;
}

async function ask(account: TestAccount, endUserId: string): Promise<string> {
  return (await requestErasure(OPERATOR, account, { endUserId, confirmation: endUserId })).id;
}

async function erase(account: TestAccount, endUserId: string): Promise<void> {
  const id = await ask(account, endUserId);
  await eraseEndUser(id);
  await finishErasure(id);
}

describe("erasing an end user", () => {
  it("finds the calls and keys of sessions that were deleted before", async () => {
    const account = await createTestAccount();
    const [ada, bob] = [canary(), canary()];
    for (const endUserId of [ada, bob]) {
      const sessionId = await startSession(account, endUserId);
      await logCall(account, endUserId, { sessionId });
      const requestId = await keyWithoutTurn(account, endUserId, sessionId);
      await logCall(account, endUserId, { endpoint: "POST /chat", status: 202, requestId, sessionId });
      await deleteSession(OPERATOR, account, sessionId);
    }
    const before = await findInDatabase(database.url, bob);
    await erase(account, ada);
    expect(await findInDatabase(database.url, ada)).toEqual([]);
    expect(await findInDatabase(database.url, bob)).toEqual(before);
    expect(before).toEqual(expect.arrayContaining(["call_logs", "idempotency_keys"]));
  });

  it("finds the calls of a batch's deleted sessions", async () => {
    const account = await createTestAccount();
    const ada = canary();
    const sessionIds = [await startSession(account, ada), newId("session")];
    const [, deleted = ""] = sessionIds;
    await logCall(account, ada, {
      endpoint: "POST /process/batch",
      status: 202,
      endUserId: ada,
      summary: { sessionIds },
    });
    await logCall(account, ada, { sessionId: deleted });
    await erase(account, ada);
    expect(await findInDatabase(database.url, ada)).toEqual([]);
  });

  it("leaves the calls on a session of somebody else that was asked for in their name", async () => {
    const account = await createTestAccount();
    const [ada, bob] = [canary(), canary()];
    await startSession(account, ada);
    const sessionId = await startSession(account, bob);
    await logCall(account, bob, { sessionId });
    await logCall(account, ada, { sessionId, endUserId: ada, status: 404, errorCode: "NOT_FOUND" });
    const { rows: before } = await countCalls(account, bob);
    await erase(account, ada);
    expect((await countCalls(account, bob)).rows).toEqual(before);
    expect(before).toEqual([{ calls: 2 }]);
  });

  it("finds the key of a call on a deleted session whose line of the log comes when the keys were looked for", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await startSession(account, ada);
    const { requestId, sessionId } = await callWithKey(account, ada);
    await deleteSession(OPERATOR, account, sessionId);
    const id = await ask(account, ada);
    await eraseBetween(id, async (tx) => {
      await tx.query(
        `INSERT INTO call_logs (id, account_id, project_id, request_id, endpoint, path, status, duration_ms, session_id, end_user_id)
         VALUES ($1, $2, $3, $4, 'POST /chat', '/api/v1/chat', 202, 1, $5, $6)`,
        [newId("call"), account.accountId, account.projectId, requestId, sessionId, ada],
      );
    });
    await finishErasure(id);
    expect(await findInDatabase(database.url, ada)).toEqual([]);
  });

  it("finds the key of a call that came when the keys were looked for, and whose line of the log comes after the session went", async () => {
    const account = await createTestAccount();
    const ada = canary();
    const sessionId = await startSession(account, ada);
    const id = await ask(account, ada);
    let requestId = "";
    await eraseBetween(id, async () => {
      ({ requestId } = await callWithKey(account, ada, sessionId));
    });
    await logCall(account, ada, { endpoint: "POST /chat", status: 202, requestId, sessionId });
    await finishErasure(id);
    expect(await findInDatabase(database.url, ada)).toEqual([]);
  });

  it("finds calls that came while their session was being erased and named it alone, with their keys", async () => {
    const account = await createTestAccount();
    const [ada, bob] = [canary(), canary()];
    const [sessionId, stays] = [await startSession(account, ada), await startSession(account, bob)];
    const id = await ask(account, ada);
    await eraseEndUser(id);
    for (const [text, on] of [
      [ada, sessionId],
      [bob, stays],
    ] as const) {
      await logCall(account, text, { sessionId: on, requestId: await keyWithoutTurn(account, text, on) });
    }
    const [other, carol] = [await createTestAccount(), canary()];
    await logCall(other, carol, { sessionId: newId("session") });
    await finishErasure(id);
    // A session of another project that is gone is none of those.
    expect((await countCalls(other, carol)).rows).toEqual([{ calls: 1 }]);
    expect(await findInDatabase(database.url, `${bob} again`)).toEqual(["idempotency_keys"]);
    expect(await findInDatabase(database.url, ada)).toEqual([]);
    expect((await countCalls(account, bob)).rows).toEqual([{ calls: 2 }]);
  });

  it("leaves the key of a batch of who came anew, though it came before the sessions that it began", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await startSession(account, ada);
    const id = await ask(account, ada);
    await eraseEndUser(id);
    const { requestId } = await callWithKey(account, ada);
    await logCall(account, ada, { endpoint: "POST /process/batch", status: 202, requestId, endUserId: ada });
    await db().query("UPDATE call_logs SET created_at = created_at - interval '1 minute' WHERE request_id = $1", [
      requestId,
    ]);
    await finishErasure(id);
    expect(await findInDatabase(database.url, `${ada} ${requestId}`)).toEqual(["idempotency_keys"]);
  });
});

/** Erases, and lets something happen between the looking for keys and the log of calls. */
async function eraseBetween(id: string, happen: (tx: Transaction) => Promise<void>): Promise<void> {
  let erasing: Promise<unknown> = Promise.resolve();
  await inTransaction(async (tx) => {
    await tx.query("LOCK TABLE call_logs IN EXCLUSIVE MODE");
    erasing = eraseEndUser(id);
    await expect.poll(isLogWaitedFor).toBe(true);
    await happen(tx);
  });
  await erasing;
}

async function isLogWaitedFor(): Promise<boolean> {
  const { rowCount } = await db().query(
    `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
     WHERE l.relation = 'call_logs'::regclass AND NOT l.granted`,
  );
  return rowCount !== 0;
}

function countCalls({ accountId }: TestAccount, userAgent: string) {
  return inTransaction((tx) =>
    tx.query<{ calls: number }>(
      "SELECT count(*)::int AS calls FROM call_logs WHERE account_id = $1 AND user_agent = $2",
      [accountId, userAgent],
    ),
  );
}

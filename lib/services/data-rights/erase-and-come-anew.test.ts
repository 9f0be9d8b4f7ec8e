import { describe, expect, it } from "vitest";
import { countInDatabase, findInDatabase, findInFiles } from "@/e2e/support/canary-search";
import { busyTurn, canary, erase, fullEndUser, receipt, useEndUserStage } from "@/e2e/support/end-user-stage";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { db } from "@/lib/db/pool";
import { ERASED_END_USER } from "@/lib/domain/end-user-id";
import { newId } from "@/lib/domain/ids";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { checkBooks } from "@/lib/services/credits/check-books";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { exportEndUser } from "@/lib/services/data-rights/export-end-user";
import { listDataRequests } from "@/lib/services/data-rights/list-data-requests";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { getEndUser } from "@/lib/services/end-users/get-end-user";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { forgetMemory } from "@/lib/services/memory/forget-memory";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

const stage = useEndUserStage();

/** A moment of the database's clock has passed since work on the request began. */
async function isOver(id: string): Promise<boolean> {
  const { rows } = await db().query(
    "SELECT started_at < now() - interval '2 ms' AS over FROM data_requests WHERE id = $1",
    [id],
  );
  return rows[0].over;
}

describe("erasing an end user", () => {
  it("goes on where another attempt was interrupted, and counts nothing twice", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await fullEndUser(account, ada);
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    const blocker = await db().connect();
    await blocker.query("BEGIN");
    await blocker.query("SELECT FROM memory_profiles WHERE project_id = $1 FOR UPDATE", [account.projectId]);
    const first = eraseEndUser(id);
    await expect.poll(async () => (await receipt(account, id)).counts.sessions, { timeout: 10_000 }).toBe(2);
    const second = eraseEndUser(id);
    await blocker.query("ROLLBACK");
    blocker.release();
    await Promise.all([first, second]);
    await finishErasure(id);
    expect((await receipt(account, id)).counts).toMatchObject({
      sessions: 2,
      memory_profiles: 1,
      files: 2,
      call_logs: 4,
    });
  });

  it("erases also what was on its way between its two passes", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await fullEndUser(account, ada);
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    await eraseEndUser(id);
    const late = await busyTurn(account, ada, ada);
    // As if it had begun before, and been there only now.
    await db().query(
      `UPDATE sessions SET created_at = (SELECT started_at FROM data_requests WHERE id = $1) WHERE id = $2`,
      [id, late],
    );
    await db().query("UPDATE call_logs SET created_at = created_at - interval '1 minute' WHERE end_user_id = $1", [
      ada,
    ]);
    await finishErasure(id);
    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual([]);
    await finishErasure(id);
    expect((await receipt(account, id)).counts).toMatchObject({ sessions: 3 });
  });

  it("erases also calls that name them, and a profile that is emptied, after it began, when nobody came anew", async () => {
    const account = await createTestAccount();
    const { accountId, projectId } = account;
    const ada = canary();
    await fullEndUser(account, ada);
    const session = await busyTurn(account, ada, ada);
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    await db().query("UPDATE data_requests SET state = 'running', started_at = now() WHERE id = $1", [id]);
    await expect.poll(() => isOver(id)).toBe(true);
    await forgetMemory(OPERATOR, account, ada);
    await writeCalls([
      {
        ...{ id: newId("call"), requestId: newId("request"), receivedAtMs: performance.now(), durationMs: 1 },
        ...{ accountId, projectId, apiKeyId: account.principal.apiKeyId, sessionId: null, endUserId: ada },
        ...{ endpoint: "GET /process", path: `/api/v1/process?endUserId=${ada}`, status: 200, errorCode: null },
        ...{ ip: `203.0.113.8-${ada}`, userAgent: ada, isStart: false, summary: { sessionIds: [session] } as never },
      },
    ]);
    await eraseEndUser(id);
    await finishErasure(id);
    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual([]);
  });

  it("leaves everything of who came anew since it began, at every attempt, and cancels nothing of theirs", async () => {
    const account = await createTestAccount({ credits: 100 });
    const [ada, word] = [canary(), canary()];
    await fullEndUser(account, ada);
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    await eraseEndUser(id);
    await busyTurn(account, ada, word);
    const open = await busyTurn(account, ada, word, false);
    await editMemory(OPERATOR, account, { endUserId: ada, content: `First profile of ${word}` });
    // Of many versions since, the oldest went.
    await db().query("UPDATE memory_profiles SET version = version + 1000 WHERE end_user_id = $1", [ada]);
    await editMemory(OPERATOR, account, { endUserId: ada, content: `Profile of ${word}` });
    const [words, names, files, books] = [
      await countInDatabase(stage.databaseUrl, [word]),
      await countInDatabase(stage.databaseUrl, [ada]),
      await findInFiles(stage.dataDir, word),
      await checkBooks(account.accountId),
    ];
    expect(books).toMatchObject({ isClean: true });
    await eraseEndUser(id);
    await finishErasure(id);
    expect(await countInDatabase(stage.databaseUrl, [word])).toEqual(words);
    expect(await findInFiles(stage.dataDir, word)).toEqual(files);
    const left = await countInDatabase(stage.databaseUrl, [ada]);
    const named = names.get(ada) ?? new Map();
    // The receipt alone has forgotten the name.
    named.delete("data_requests");
    expect(left.get(ada)).toEqual(named);
    expect(await checkBooks(account.accountId)).toEqual(books);
    expect(await getEndUser(account, ada)).toMatchObject({ endUserId: ada });
    const { rows } = await db().query("SELECT status, open_turns FROM sessions WHERE id = $1", [open]);
    expect(rows).toEqual([{ status: "started", open_turns: 1 }]);
    expect((await receipt(account, id)).counts).toMatchObject({ sessions: 2, usage_days: 1, end_users: 1 });
  });

  it("goes on listing who came anew just when the row of the one before was being removed", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    // As a call does that finds the end user seen in this minute.
    const statement = `
      WITH seen AS MATERIALIZED (SELECT project_id FROM end_users WHERE end_user_id = $1 FOR UPDATE)
      INSERT INTO sessions (id, account_id, project_id, kind, status, end_user_id, created_at)
      SELECT '${newId("session")}', '${account.accountId}', project_id, 'chat', 'started', $1, now() + interval '1 minute' FROM seen`;
    const [erased] = await whileHeld({ statement, id: ada }, () => eraseEndUser(id));
    expect(erased).toEqual({ status: "fulfilled", value: true });
    expect(await getEndUser(account, ada)).toMatchObject({ endUserId: ada });
  });

  it("parts usage of a day that both have, when somebody comes anew before the first attempt has ended", async () => {
    const account = await createTestAccount({ credits: 100 });
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    await db().query("UPDATE data_requests SET state = 'running', started_at = now() WHERE id = $1", [id]);
    await expect.poll(() => isOver(id)).toBe(true);
    await busyTurn(account, ada, "anew");
    await busyTurn(account, ada, "anew");
    await eraseEndUser(id);
    const { rows } = await db().query(
      "SELECT end_user_id AS name, requests, credits FROM usage_days WHERE project_id = $1 ORDER BY requests",
      [account.projectId],
    );
    expect(rows).toEqual([
      { name: ERASED_END_USER, requests: 1, credits: 2 },
      { name: ada, requests: 2, credits: 4 },
    ]);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, used: 6 });
  });

  it("parts usage by its day and its endpoint: another's is of the one before alone", async () => {
    const account = await createTestAccount({ credits: 100 });
    const ada = canary();
    await busyTurn(account, ada, ada);
    await db().query(
      `INSERT INTO usage_days (project_id, account_id, day, endpoint, end_user_id, requests, tokens_in, tokens_out, credits)
       SELECT project_id, account_id, day - n, e, end_user_id, 7 + n, 1, 1, 1
       FROM usage_days, (VALUES (1, 'POST /process'), (0, 'POST /chat')) other (n, e) WHERE project_id = $1`,
      [account.projectId],
    );
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    await db().query("UPDATE data_requests SET state = 'running', started_at = now() WHERE id = $1", [id]);
    await expect.poll(() => isOver(id)).toBe(true);
    await busyTurn(account, ada, "anew");
    await busyTurn(account, ada, "anew");
    const { turnId } = await acceptTurn(account.principal, chatTurn({ endpoint: "POST /send", endUserId: ada }));
    await endTurn(turnId, null, completedEnd());
    await eraseEndUser(id);
    const { rows } = await db().query(
      "SELECT end_user_id AS name, endpoint, requests FROM usage_days WHERE project_id = $1 ORDER BY requests, endpoint",
      [account.projectId],
    );
    expect(rows).toEqual([
      { name: ERASED_END_USER, endpoint: "POST /process", requests: 1 },
      { name: ada, endpoint: "POST /send", requests: 1 },
      { name: ada, endpoint: "POST /process", requests: 2 },
      { name: ERASED_END_USER, endpoint: "POST /chat", requests: 7 },
      { name: ERASED_END_USER, endpoint: "POST /process", requests: 8 },
    ]);
  });

  it("can be asked for again while it is under way by who came anew, and takes them then", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const ask = () => requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    const { id } = await ask();
    await eraseEndUser(id);
    await busyTurn(account, ada, ada);
    const { id: second } = await ask();
    expect(second).not.toBe(id);
    expect((await ask()).id).toBe(second);
    await finishErasure(id);
    await eraseEndUser(second);
    await finishErasure(second);
    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual([]);
  });

  it("stays as it ended, also for a run that comes late, and takes the exports with it that were still to be made", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id: exportId } = await requestExport(OPERATOR, account, ada);
    const id = await erase(account, ada);
    const ended = await receipt(account, id);
    await busyTurn(account, ada, ada);
    await finishErasure(id);
    expect(await receipt(account, id)).toEqual(ended);
    expect(await getEndUser(account, ada)).toBeDefined();
    const completedAt = expect.stringMatching(/Z$/);
    expect(await receipt(account, exportId)).toMatchObject({ state: "failed", endUserId: null, completedAt });
  });

  it("forgets the name in receipts from before ENCRYPTION_KEY was changed as well", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestExport(OPERATOR, account, ada);
    await exportEndUser(id);
    await db().query("UPDATE data_requests SET subject_digest = 'of the key before' WHERE id = $1", [id]);
    await erase(account, ada);
    expect(await receipt(account, id)).toMatchObject({ state: "completed", endUserId: null, download: null });
    expect(await findInDatabase(stage.databaseUrl, ada)).toEqual([]);
  });

  it("is one request however often it is asked for", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const ask = () => requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    const ids = new Set((await Promise.all([ask(), ask(), ask()])).map(({ id }) => id));
    expect(ids.size).toBe(1);
    const [id = ""] = ids;
    const { rows } = await db().query(
      "SELECT data FROM outbox_events WHERE name = 'end-user/erase' AND data->>'dataRequestId' = $1",
      [id],
    );
    expect(rows).toEqual([{ data: { dataRequestId: id } }]);
  });

  it("wants the id typed once more and does not find other projects' end users", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    const ada = canary();
    await busyTurn(theirs, ada, ada);
    await expect(requestErasure(OPERATOR, theirs, { endUserId: ada, confirmation: "ada" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      param: "confirmation",
    });
    const asMine = { endUserId: ada, confirmation: ada };
    await expect(requestErasure(OPERATOR, mine, asMine)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const crossed = { accountId: mine.accountId, projectId: theirs.projectId };
    await expect(requestErasure(OPERATOR, crossed, asMine)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(requestExport(OPERATOR, mine, ada)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await listDataRequests(mine, { limit: 5 })).data).toEqual([]);
  });
});

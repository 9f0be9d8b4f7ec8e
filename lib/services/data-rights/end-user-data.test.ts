import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { countInDatabase, findInDatabase, findInFiles } from "@/e2e/support/canary-search";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { ERASED_END_USER } from "@/lib/domain/end-user-id";
import { newId } from "@/lib/domain/ids";
import { type Actor, OPERATOR, recordAudit } from "@/lib/services/accounts/record-audit";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";
import { writeCalls } from "@/lib/services/call-log/write-calls";
import { checkBooks } from "@/lib/services/credits/check-books";
import { failDataRequest } from "@/lib/services/data-rights/claim-data-request";
import { eraseEndUser, finishErasure } from "@/lib/services/data-rights/erase-end-user";
import { eraseFromBooks } from "@/lib/services/data-rights/erase-from-books";
import { exportEndUser } from "@/lib/services/data-rights/export-end-user";
import { listDataRequests } from "@/lib/services/data-rights/list-data-requests";
import { openEndUserExport } from "@/lib/services/data-rights/open-end-user-export";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";
import { requestErasure, requestExport } from "@/lib/services/data-rights/request-end-user-data";
import { getEndUser } from "@/lib/services/end-users/get-end-user";
import { openProjectFile, openStoredFile } from "@/lib/services/files/open-file";
import { storeUpload } from "@/lib/services/files/store-upload";
import { claimKey } from "@/lib/services/idempotency/claim-key";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { editMemory } from "@/lib/services/memory/edit-memory";
import { forgetMemory } from "@/lib/services/memory/forget-memory";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { fileStore } from "@/lib/storage/select-store";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "data-rights-"));
});
const database = useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));

afterAll(() => rm(dataDir, { recursive: true }));

function upload(account: TestAccount, name: string, content: string) {
  const stream = (async function* () {
    yield Buffer.from(content);
  })();
  return storeUpload(account.principal, { name, contentType: "text/plain", stream });
}

/** A turn with a file, a callback, an idempotency key and an answer; every field holds the canary. */
async function busyTurn(account: TestAccount, endUserId: string, canary: string, isDone = true): Promise<string> {
  const { principal } = account;
  const requestId = newId("request");
  const call = { key: `${canary}-${requestId}`, requestHash: randomBytes(32), requestId, status: 202 };
  const claimed = await claimKey(principal, call);
  if (!("claim" in claimed)) throw new Error("The key was taken.");
  const { sessionId, turnId } = await acceptTurn(
    principal,
    {
      endpoint: "POST /process",
      requestId,
      kind: "process",
      input: `Input ${canary}`,
      prompt: `Prompt ${canary}`,
      fileContent: `Content ${canary}`,
      callbackUrl: `https://client.example/${canary}`,
      creditsToReserve: 2,
      endUserId,
      files: [await upload(account, `${canary}.txt`, `File of ${canary}`)],
    },
    (tx, accepted) => keepResponse(tx, claimed.claim, { ...accepted, canary }),
  );
  if (!isDone) return sessionId;
  const seen = { output: `Output ${canary}`, context: { saw: canary }, isMemoryDue: true };
  await endTurn(turnId, null, completedEnd({ ...seen, tokensIn: 100, tokensOut: 20, credits: 2 }));
  await db().query("UPDATE stored_files SET extraction = $2 WHERE session_id = $1", [
    sessionId,
    JSON.stringify({ text: canary }),
  ]);
  await db().query(
    `INSERT INTO webhook_attempts (delivery_id, number, started_at, request_headers, response_headers, response_body, error)
     SELECT id, 1, now(), $2, $2, $3, $4 FROM webhook_deliveries WHERE session_id = $1`,
    [sessionId, JSON.stringify({ "x-echo": canary }), Buffer.from(`Merci 🙂 ${canary}`), canary],
  );
  await writeCalls([
    {
      id: newId("call"),
      accountId: account.accountId,
      projectId: account.projectId,
      apiKeyId: principal.apiKeyId,
      requestId,
      endpoint: "POST /process",
      path: `/api/v1/process/${canary}`,
      status: 202,
      errorCode: null,
      durationMs: 5,
      ip: `203.0.113.7-${canary}`,
      userAgent: `agent ${canary}`,
      sessionId,
      endUserId,
      isStart: true,
      summary: { query: [canary] },
      receivedAtMs: performance.now(),
    },
    // A poll that did not name the end user.
    {
      id: newId("call"),
      accountId: account.accountId,
      projectId: account.projectId,
      apiKeyId: principal.apiKeyId,
      requestId: newId("request"),
      endpoint: "GET /process/:id",
      path: `/api/v1/process/${sessionId}`,
      status: 200,
      errorCode: null,
      durationMs: 1,
      ip: `203.0.113.8-${canary}`,
      userAgent: canary,
      sessionId,
      endUserId: null,
      isStart: false,
      summary: {},
      receivedAtMs: performance.now(),
    },
  ]);
  return sessionId;
}

/** An end user whose name is the canary, with something in every table and store. */
async function fullEndUser(account: TestAccount, endUserId: string): Promise<void> {
  await busyTurn(account, endUserId, endUserId);
  await busyTurn(account, endUserId, endUserId);
  await editMemory(OPERATOR, account, { endUserId, content: `Profile of ${endUserId}` });
  await prisma().$transaction((tx) =>
    recordAudit(tx, OPERATOR, {
      accountId: account.accountId,
      action: "memory.edit",
      subject: endUserId,
      reason: `asked by ${endUserId}`,
      before: { content: endUserId },
      after: { content: endUserId },
    }),
  );
  await recordCsvExport(OPERATOR, account, "calls", { endUserId, minStatus: 400 });
}

const canary = () => `canary${randomBytes(6).toString("hex")}`;

async function erase(account: TestAccount, endUserId: string) {
  const request = await requestErasure(OPERATOR, account, { endUserId, confirmation: endUserId });
  await eraseEndUser(request.id);
  await finishErasure(request.id);
  return request.id;
}

async function receipt(account: TestAccount, id: string) {
  const { data } = await listDataRequests(account, { limit: 20 });
  const found = data.find((one) => one.id === id);
  if (!found) throw new Error("The receipt is gone.");
  return found;
}

/** All that names an account, or a project of its, table by table. */
async function rowsOf({ accountId, projectId }: TestAccount): Promise<Record<string, string[]>> {
  const { rows: columns } = await db().query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name IN ('account_id', 'project_id')`,
  );
  const found: Record<string, string[]> = {};
  for (const { table, column } of columns) {
    const { rows } = await db().query<{ row: string }>(
      `SELECT t::text AS row FROM "${table}" t WHERE ${column} = $1 ORDER BY 1`,
      [column === "account_id" ? accountId : projectId],
    );
    found[`${table} by ${column}`] = rows.map(({ row }) => row);
  }
  return found;
}

/** A moment of the database's clock has passed since work on the request began. */
async function isOver(id: string): Promise<boolean> {
  const { rows } = await db().query(
    "SELECT started_at < now() - interval '2 ms' AS over FROM data_requests WHERE id = $1",
    [id],
  );
  return rows[0].over;
}

async function exportOf(account: TestAccount, endUserId: string) {
  const { id } = await requestExport(OPERATOR, account, endUserId);
  await exportEndUser(id);
  const { download, ...rest } = await receipt(account, id);
  const open = () => openEndUserExport(OPERATOR, account, id);
  return { download, open, ...rest };
}

describe("erasing an end user", () => {
  it("leaves not one trace in any table or store, and keeps the books", async () => {
    const account = await createTestAccount();
    const [ada, bob] = [canary(), canary()];
    await fullEndUser(account, ada);
    await fullEndUser(account, bob);
    const { open } = await exportOf(account, ada);
    expect((await findInFiles(dataDir, ada)).length).toBeGreaterThan(2);
    const before = await checkBooks(account.accountId);
    const bobBefore = [await findInDatabase(database.url, bob), await getEndUser(account, bob)];

    const id = await erase(account, ada);

    expect(await findInDatabase(database.url, ada)).toEqual([]);
    expect(await findInFiles(dataDir, ada)).toEqual([]);
    await expect(open()).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(getEndUser(account, ada)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await checkBooks(account.accountId)).toEqual({ ...before, isClean: true, problems: [] });
    expect([await findInDatabase(database.url, bob), await getEndUser(account, bob)]).toEqual(bobBefore);

    expect(await receipt(account, id)).toMatchObject({
      kind: "erase",
      state: "completed",
      endUserId: null,
      completedAt: expect.stringMatching(/Z$/),
      counts: {
        sessions: 2,
        turns: 2,
        messages: 4,
        files: 3,
        webhook_deliveries: 2,
        webhook_attempts: 2,
        call_logs: 4,
        idempotency_keys: 2,
        ledger_entries: 2,
        usage_days: 1,
        audit_log: 3,
        memory_profiles: 1,
        memory_versions: 1,
        end_users: 1,
      },
    });
    const own = await listDataRequests(account, { limit: 20, endUserId: ada });
    expect(own.data.map(({ kind }) => kind)).toEqual(["erase", "export"]);
  });

  it("had the canary in every table that the list says holds something of an end user", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await fullEndUser(account, ada);
    await requestExport(OPERATOR, account, ada);
    const withEndUser = PERSONAL_DATA.filter(({ ofEndUser }) => ofEndUser).map(({ table }) => table);
    // Those two are filled by open turns alone; they go with their turns.
    const filled = withEndUser.filter((table) => table !== "turn_parts" && table !== "turn_outputs");
    expect(await findInDatabase(database.url, ada)).toEqual(filled.sort());
  });

  it("keeps who took a list of the end user's calls away, without the name", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await fullEndUser(account, ada);
    await erase(account, ada);
    const { rows } = await db().query("SELECT subject, after FROM audit_log WHERE account_id = $1 AND action = $2", [
      account.accountId,
      "csv.calls",
    ]);
    expect(rows).toEqual([{ subject: account.projectId, after: { endUserId: ERASED_END_USER, minStatus: "400" } }]);
  });

  it("keeps what the audit log says of a key or a person whose id an end user bears", async () => {
    const account = await createTestAccount();
    const { userId } = await prisma().member.findFirstOrThrow({ where: { accountId: account.accountId } });
    const lines = () =>
      db().query("SELECT action, subject, before FROM audit_log WHERE account_id = $1 AND subject = $2", [
        account.accountId,
        userId,
      ]);
    await prisma().$transaction((tx) =>
      recordAudit(tx, OPERATOR, {
        accountId: account.accountId,
        action: "team.remove",
        subject: userId,
        before: { role: "owner" },
      }),
    );
    const { rows: before } = await lines();
    await busyTurn(account, userId, "plain");
    await erase(account, userId);
    expect((await lines()).rows).toEqual(before);
    expect(before).toHaveLength(1);
  });

  it("leaves everything of another account's end user of the same name", async () => {
    const [mine, theirs] = [await createTestAccount({ credits: 100 }), await createTestAccount({ credits: 100 })];
    const name = canary();
    for (const account of [mine, theirs]) await fullEndUser(account, name);
    await exportOf(theirs, name);
    await busyTurn(theirs, name, name, false);
    await requestExport(OPERATOR, theirs, name);
    const before = await rowsOf(theirs);
    await erase(mine, name);
    expect(await rowsOf(theirs)).toEqual(before);
  });

  it("cancels what is running and gives its credits back", async () => {
    const account = await createTestAccount({ credits: 10 });
    const ada = canary();
    await busyTurn(account, ada, ada, false);
    await erase(account, ada);
    expect(await findInDatabase(database.url, ada)).toEqual([]);
    expect(await findInFiles(dataDir, ada)).toEqual([]);
    expect(await checkBooks(account.accountId)).toMatchObject({ balance: 10, reserved: 0, isClean: true });
  });

  it("waits with the books for a turn that is being settled, whose line it would miss", async () => {
    const account = await createTestAccount();
    const { accountId, projectId } = account;
    const waiting = async () =>
      (
        await db().query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
      ).rowCount;
    let erasing: Promise<void> | undefined;
    await inTransaction(async (tx) => {
      await tx.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [accountId]);
      const request = { id: newId("dataRequest"), accountId, projectId, endUserId: "ada", startedAt: new Date() };
      erasing = eraseFromBooks(request);
      await expect.poll(waiting).toBe(1);
    });
    await erasing;
  });

  it("adds several erased end users up under one name that no client can use", async () => {
    const account = await createTestAccount();
    for (const endUser of [canary(), canary()]) {
      await busyTurn(account, endUser, endUser);
      await erase(account, endUser);
    }
    const { rows } = await db().query(
      "SELECT end_user_id AS name, requests, credits FROM usage_days WHERE project_id = $1",
      [account.projectId],
    );
    expect(rows).toEqual([{ name: ERASED_END_USER, requests: 2, credits: 4 }]);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, used: 4 });
  });

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
    expect(await findInDatabase(database.url, ada)).toEqual([]);
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
    expect(await findInDatabase(database.url, ada)).toEqual([]);
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
      await countInDatabase(database.url, [word]),
      await countInDatabase(database.url, [ada]),
      await findInFiles(dataDir, word),
      await checkBooks(account.accountId),
    ];
    expect(books).toMatchObject({ isClean: true });
    await eraseEndUser(id);
    await finishErasure(id);
    expect(await countInDatabase(database.url, [word])).toEqual(words);
    expect(await findInFiles(dataDir, word)).toEqual(files);
    const left = await countInDatabase(database.url, [ada]);
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
    expect(await findInDatabase(database.url, ada)).toEqual([]);
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
    expect(await findInDatabase(database.url, ada)).toEqual([]);
  });

  it("is one request however often it is asked for, and can be asked for again after it failed", async () => {
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
    await failDataRequest(id);
    expect((await ask()).id).not.toBe(id);
  });

  it("can be asked for again also when it failed after the end user was gone, and ends then", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    await eraseEndUser(id);
    await failDataRequest(id);
    await erase(account, ada);
    expect(await findInDatabase(database.url, ada)).toEqual([]);
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

describe("exporting an end user", () => {
  it("writes every row of every table into one file of JSON lines", async () => {
    const account = await createTestAccount();
    const [ada, bob] = [canary(), canary()];
    await fullEndUser(account, ada);
    await fullEndUser(account, bob);
    const { open, counts, state, download } = await exportOf(account, ada);
    expect(state).toBe("completed");
    const file = await open();
    const content = await readText(await file.read());
    expect(download).toMatchObject({ sizeBytes: file.size });
    const [head, ...lines] = content
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(head).toMatchObject({ format: "end-user-export", endUserId: ada, projectId: account.projectId });
    expect(content).not.toContain(bob);
    expect(content).not.toContain("storage_key");
    const tables = new Set(lines.map(({ table }) => table));
    for (const { table, exportWithout } of PERSONAL_DATA) {
      if (exportWithout) expect(tables, table).toContain(table);
    }
    expect(lines).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count, 0));
    expect(counts).toMatchObject({ sessions: 2, messages: 4, memory_profiles: 1 });
    // In words, as the panel shows it.
    expect(lines.find(({ table }) => table === "webhook_attempts").row.response_body).toBe(`Merci 🙂 ${ada}`);
  });

  it("is reached by no address, no call and no other project, and each download has its line, one in parts as well", async () => {
    const [account, other] = [await createTestAccount(), await createTestAccount()];
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await exportOf(account, ada);
    const { id: fileId, storageKey } = await prisma().storedFile.findFirstOrThrow({
      where: { endUserId: ada, purpose: "export" },
    });
    const gone = { code: "NOT_FOUND" };
    await expect(openStoredFile(storageKey)).rejects.toMatchObject(gone);
    await expect(openProjectFile(account.projectId, fileId)).rejects.toMatchObject(gone);
    await expect(openEndUserExport(OPERATOR, other, id)).rejects.toMatchObject(gone);
    const take = (who: Actor) => openEndUserExport(who, account, id);
    const [ann, elsewhere, bob] = [
      { kind: "owner", userId: "usr_ann", ip: "203.0.113.1" },
      { kind: "owner", userId: "usr_ann", ip: "203.0.113.2" },
      { kind: "owner", userId: "usr_bob", ip: "203.0.113.1" },
    ] as const;
    await Promise.all([take(ann), take(ann), take(ann)]);
    for (const who of [ann, elsewhere, bob]) await take(who);
    await inTransaction(async (tx) => {
      await tx.query("SET LOCAL service.erasing = 'on'");
      await tx.query("UPDATE audit_log SET created_at = created_at - interval '61 minutes' WHERE subject = $1", [id]);
    });
    await take(ann);
    const orderBy = [{ createdAt: "asc" }, { id: "asc" }] as const;
    const lines = await prisma().auditEntry.findMany({ where: { subject: id }, orderBy: [...orderBy] });
    const taken = ({ userId, ip }: Actor) => ["end-user.take-export", userId, ip];
    expect(lines.map(({ action, actorId, ip }) => [action, actorId, ip])).toEqual([
      ["end-user.export", null, null],
      ...[ann, elsewhere, bob, ann].map(taken),
    ]);
  });

  it("can be fetched no more once its time is over", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id, open, download } = await exportOf(account, ada);
    expect(Date.parse(download?.expiresAt ?? "") - Date.now()).toBeGreaterThan(6 * 24 * 3_600_000);
    const isOver =
      "UPDATE stored_files SET expires_at = now() - interval '1 second' WHERE end_user_id = $1 AND purpose = 'export'";
    await db().query(isOver, [ada]);
    await expect(open()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await receipt(account, id)).download).toBeNull();
  });

  it("takes the place of the one before of the same end user", async () => {
    const account = await createTestAccount();
    const [ada, bob] = [canary(), canary()];
    for (const endUser of [ada, bob]) await busyTurn(account, endUser, endUser);
    const [first, others] = [await exportOf(account, ada), await exportOf(account, bob)];
    const second = await exportOf(account, ada);
    await expect(first.open()).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await receipt(account, first.id)).download).toBeNull();
    for (const { id } of [second, others]) expect((await receipt(account, id)).download).not.toBeNull();
    // Another project's of that name is somebody else.
    const elsewhere = await addTestProject(account, "Second");
    await busyTurn(elsewhere, ada, ada);
    await exportOf(elsewhere, ada);
    expect((await receipt(account, second.id)).download).not.toBeNull();
  });

  it("is made once, and leaves no file when the end user is erased meanwhile", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestExport(OPERATOR, account, ada);
    await inTransaction((tx) => tx.query("UPDATE data_requests SET state = 'running' WHERE id = $1", [id]));
    await Promise.all([exportEndUser(id), exportEndUser(id)]);
    const { rows } = await db().query("SELECT 1 FROM stored_files WHERE end_user_id = $1 AND purpose = 'export'", [
      ada,
    ]);
    expect(rows).toHaveLength(1);
    const next = await requestExport(OPERATOR, account, ada);
    await erase(account, ada);
    await exportEndUser(next.id);
    expect(await findInDatabase(database.url, ada)).toEqual([]);
    expect(await findInFiles(dataDir, ada)).toEqual([]);
  });

  it("is not begun any more once all but the end of an erasure is done: its file would stay", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestExport(OPERATOR, account, ada);
    const erasure = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    await eraseEndUser(erasure.id);
    const { accountId, projectId } = account;
    const callId = newId("call");
    await db().query(
      `INSERT INTO call_logs (id, account_id, project_id, request_id, endpoint, path, status, duration_ms, session_id)
       VALUES ($1, $2, $3, 'req_late', 'GET /chat/:sessionId', '/api/v1/chat/gone', 200, 1, 'gone')`,
      [callId, accountId, projectId],
    );
    const [ended] = await whileHeld(
      { statement: "SELECT FROM call_logs WHERE id = $1 FOR UPDATE", id: callId, meanwhile: () => exportEndUser(id) },
      () => finishErasure(erasure.id),
    );
    expect(ended.status).toBe("fulfilled");
    expect(await receipt(account, id)).toMatchObject({ state: "failed", download: null });
    expect(await findInDatabase(database.url, ada)).toEqual([]);
    expect(await findInFiles(dataDir, ada)).toEqual([]);
  });

  it("is not kept when it comes after the end user was erased, who is in it", async () => {
    const account = await createTestAccount();
    const ada = canary();
    await busyTurn(account, ada, ada);
    const { id } = await requestExport(OPERATOR, account, ada);
    const erasure = await requestErasure(OPERATOR, account, { endUserId: ada, confirmation: ada });
    const store = fileStore();
    const write = store.write.bind(store);
    const late = vi.spyOn(store, "write").mockImplementation(async (...what) => {
      const written = await write(...what);
      await eraseEndUser(erasure.id);
      return written;
    });
    await exportEndUser(id);
    late.mockRestore();
    expect(await receipt(account, id)).toMatchObject({ state: "failed", download: null });
    expect(await findInFiles(dataDir, ada)).toEqual([]);
  });
});

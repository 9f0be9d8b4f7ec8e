import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { findInFiles } from "@/e2e/support/canary-search";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { checkBooks } from "@/lib/services/credits/check-books";
import { openProjectFile } from "@/lib/services/files/open-file";
import { BytesRemoval } from "@/lib/services/files/remove-bytes";
import { storeUpload } from "@/lib/services/files/store-upload";
import { sweepUploads } from "@/lib/services/files/sweep-uploads";
import { getProcess } from "@/lib/services/process/get-process";
import { sweepRetention } from "@/lib/services/retention/sweep-retention";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { fileStoreOf } from "@/lib/storage/select-store";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "retention-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.test" }));

afterAll(() => rm(dataDir, { recursive: true }));

beforeEach(async () => {
  await db().query(
    "UPDATE projects SET session_retention_days = NULL, file_retention_days = NULL, log_retention_days = NULL",
  );
});

const NOTHING = {
  sessions: 0,
  files: 0,
  calls: 0,
  deliveries: 0,
  expiredFiles: 0,
  notes: 0,
  failures: 0,
  isMore: false,
};

async function retain({ projectId }: TestAccount, settings: { sessions?: number; files?: number; logs?: number }) {
  await db().query(
    "UPDATE projects SET session_retention_days = $2, file_retention_days = $3, log_retention_days = $4 WHERE id = $1",
    [projectId, settings.sessions ?? null, settings.files ?? null, settings.logs ?? null],
  );
}

/** A processing with a file and a callback, all of it `days` old. */
async function oldSession({ principal }: TestAccount, days: number, isDone = true): Promise<string> {
  const marker = newId("request");
  const stream = (async function* () {
    yield Buffer.from(`File of ${marker}`);
  })();
  const { sessionId, turnId } = await acceptTurn(principal, {
    endpoint: "POST /process",
    requestId: marker,
    kind: "process",
    input: "Read it.",
    prompt: "Read it.",
    callbackUrl: "https://client.example/hook",
    creditsToReserve: 2,
    files: [await storeUpload(principal, { name: `${marker}.txt`, contentType: "text/plain", stream })],
  });
  if (isDone) await endTurn(turnId, null, completedEnd({ tokensIn: 100, tokensOut: 20, credits: 2 }));
  const shift = "- make_interval(days => $2)";
  await db().query(
    `UPDATE sessions SET created_at = created_at ${shift}, last_activity_at = last_activity_at ${shift} WHERE id = $1`,
    [sessionId, days],
  );
  await db().query(`UPDATE stored_files SET created_at = created_at ${shift} WHERE session_id = $1`, [sessionId, days]);
  await db().query(
    `UPDATE webhook_deliveries SET created_at = created_at ${shift}, status = 'delivered' WHERE session_id = $1`,
    [sessionId, days],
  );
  await db().query(
    `INSERT INTO call_logs (id, account_id, project_id, request_id, endpoint, path, status, duration_ms, session_id, created_at)
     VALUES ($1, $3, $4, 'req', 'POST /process', '/api/v1/process', 202, 1, $5, now() ${shift})`,
    [newId("call"), days, principal.accountId, principal.projectId, sessionId],
  );
  return sessionId;
}

async function left({ projectId }: TestAccount) {
  const { rows } = await db().query(
    `SELECT (SELECT count(*) FROM sessions WHERE project_id = $1) AS sessions,
            (SELECT count(*) FROM turns WHERE project_id = $1) AS turns,
            (SELECT count(*) FROM stored_files WHERE project_id = $1 AND deleted_at IS NULL) AS files,
            (SELECT count(*) FROM webhook_deliveries WHERE project_id = $1) AS deliveries,
            (SELECT count(*) FROM call_logs WHERE project_id = $1) AS calls`,
    [projectId],
  );
  return rows[0];
}

describe("what is kept for a time", () => {
  it("keeps everything while no project says otherwise", async () => {
    const account = await createTestAccount();
    await oldSession(account, 4_000);
    expect(await sweepRetention()).toEqual(NOTHING);
    expect(await left(account)).toEqual({ sessions: 1, turns: 1, files: 1, deliveries: 1, calls: 1 });
  });

  it("removes sessions past their days with files and deliveries, and leaves books and logs", async () => {
    const [account, other] = await Promise.all([createTestAccount(), createTestAccount()]);
    await oldSession(account, 31);
    await oldSession(account, 29);
    await oldSession(other, 31);
    await retain(account, { sessions: 30 });
    const books = await checkBooks(account.accountId);
    expect(await sweepRetention()).toEqual({ ...NOTHING, sessions: 1 });
    expect(await left(account)).toEqual({ sessions: 1, turns: 1, files: 1, deliveries: 1, calls: 2 });
    expect(await left(other)).toMatchObject({ sessions: 1, files: 1 });
    expect(await checkBooks(account.accountId)).toEqual(books);
    expect(books.isClean).toBe(true);
    expect(await sweepRetention()).toEqual(NOTHING);
  });

  it("goes by the last activity, and leaves sessions in which work is open", async () => {
    const account = await createTestAccount();
    const active = await oldSession(account, 31);
    await db().query("UPDATE sessions SET last_activity_at = now() WHERE id = $1", [active]);
    await oldSession(account, 31, false);
    await retain(account, { sessions: 30, files: 60 });
    expect(await sweepRetention()).toEqual(NOTHING);
    expect(await left(account), "whole").toMatchObject({ sessions: 2, turns: 2, files: 2 });
  });

  it("removes more sessions than one batch holds, and no more than it was told to", async () => {
    const account = await createTestAccount();
    await db().query(
      `INSERT INTO sessions (id, account_id, project_id, kind, status, created_at, last_activity_at)
       SELECT 'ses_many_' || n, $1, $2, 'chat', 'completed', now() - interval '9 days', now() - interval '9 days'
       FROM generate_series(1, 170) n`,
      [account.accountId, account.projectId],
    );
    await retain(account, { sessions: 7 });
    expect(await sweepRetention(60)).toMatchObject({ sessions: 100, isMore: true });
    expect(await sweepRetention(100)).toMatchObject({ sessions: 70, isMore: false });
  });

  it("removes the bytes of their files with sessions, and has them removed later where a store fails", async () => {
    const account = await createTestAccount();
    const sessions = [await oldSession(account, 31), await oldSession(account, 31)];
    const names = await Promise.all(sessions.map(async (id) => (await getProcess(account.principal, id)).fileName));
    const stored = async () => {
      const found = await Promise.all(names.map((name) => findInFiles(dataDir, name.replace(".txt", ""))));
      return found.flat().length;
    };
    expect(await stored()).toBe(2);
    await retain(account, { sessions: 30 });
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValueOnce(new Error("The disk is away."));
    expect(await sweepRetention()).toEqual({ ...NOTHING, sessions: 2 });
    remove.mockRestore();
    expect(await stored(), "the one that failed").toBe(1);
    await sweepUploads();
    expect(await stored()).toBe(0);
  });

  it("removes sessions also when what was to be removed of their files is not noted", async () => {
    const account = await createTestAccount();
    await oldSession(account, 31);
    await retain(account, { sessions: 30 });
    const forget = vi.spyOn(BytesRemoval.prototype, "remove").mockRejectedValueOnce(new Error("The database is away."));
    expect(await sweepRetention()).toEqual({ ...NOTHING, sessions: 1 });
    forget.mockRestore();
    expect((await sweepUploads()).removed).toBe(1);
  });

  it("waits for no session that somebody holds, and takes the others", async () => {
    const account = await createTestAccount();
    const held = await oldSession(account, 40);
    await oldSession(account, 31);
    await retain(account, { sessions: 30 });
    await inTransaction(async (tx) => {
      await tx.query("SELECT FROM sessions WHERE id = $1 FOR UPDATE", [held]);
      expect(await sweepRetention()).toEqual({ ...NOTHING, sessions: 1 });
    });
    expect(await sweepRetention()).toEqual({ ...NOTHING, sessions: 1 });
  });

  it("removes the bytes of files past their days, and the session still says what came with it", async () => {
    const account = await createTestAccount();
    const sessionId = await oldSession(account, 8);
    const kept = await oldSession(account, 6);
    await retain(account, { files: 7 });
    const { fileName } = await getProcess(account.principal, sessionId);
    const marker = fileName.replace(".txt", "");
    expect(await findInFiles(dataDir, marker)).toHaveLength(1);
    expect(await sweepRetention()).toEqual({ ...NOTHING, files: 1 });
    expect(await findInFiles(dataDir, marker)).toEqual([]);
    expect(await getProcess(account.principal, sessionId)).toMatchObject({ fileName, status: "completed" });
    expect(await left(account)).toMatchObject({ sessions: 2, files: 1 });
    expect(await getProcess(account.principal, kept)).toMatchObject({ status: "completed" });
    expect(await sweepRetention()).toEqual(NOTHING);
  });

  it("lets nobody open a file before its bytes go: none is ever found lost", async () => {
    const account = await createTestAccount();
    await oldSession(account, 8);
    await retain(account, { files: 7 });
    const { rows } = await db().query<{ id: string }>("SELECT id FROM stored_files WHERE project_id = $1", [
      account.projectId,
    ]);
    const opened: unknown[] = [];
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockImplementation(async () => {
      opened.push(await openProjectFile(account.projectId, rows[0]?.id ?? "").catch((error: unknown) => error));
    });
    expect(await sweepRetention()).toEqual({ ...NOTHING, files: 1 });
    remove.mockRestore();
    expect(opened).toMatchObject([{ code: "NOT_FOUND" }]);
  });

  it("has the bytes of a file removed later where a store fails, also when its session goes before", async () => {
    const account = await createTestAccount();
    const sessions = [await oldSession(account, 8), await oldSession(account, 8)];
    const names = await Promise.all(sessions.map(async (id) => (await getProcess(account.principal, id)).fileName));
    const stored = async () =>
      (await Promise.all(names.map((name) => findInFiles(dataDir, name.replace(".txt", ""))))).flat().length;
    await retain(account, { files: 7 });
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValue(new Error("The disk is away."));
    expect(await sweepRetention()).toEqual({ ...NOTHING, files: 2 });
    expect(await left(account)).toMatchObject({ files: 0 });
    await db().query("UPDATE sessions SET last_activity_at = now() WHERE id = $1", [sessions[0]]);
    await retain(account, { sessions: 7 });
    expect(await sweepRetention()).toEqual({ ...NOTHING, sessions: 1 });
    remove.mockRestore();
    expect(await stored()).toBe(2);
    await sweepUploads();
    expect(await stored()).toBe(0);
  });

  it("asks a store that is away for a few files of all projects together, and takes all of them out of use", async () => {
    const accounts = await Promise.all([1, 2, 3].map(() => createTestAccount()));
    for (const [index, account] of accounts.entries()) {
      await oldSession(account, 8);
      await db().query(
        `INSERT INTO stored_files (id, account_id, project_id, created_at, purpose, store, url, name, content_type, size, sha256, storage_key)
         SELECT 'fil_away' || $3 || n, $1, $2, now() - interval '9 days', 'input', 'disk', '', '', '', 1, '', lpad('b' || $3 || n, 40, '0')
         FROM generate_series(101, 250) n`,
        [account.accountId, account.projectId, String(index)],
      );
      await retain(account, { files: 7, logs: 7 });
    }
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValue(new Error("The disk is away."));
    expect(await sweepRetention()).toEqual({ ...NOTHING, files: 453, calls: 3, deliveries: 3 });
    expect(remove.mock.calls.length).toBeLessThan(30);
    remove.mockRestore();
    expect((await sweepUploads()).removed).toBe(453);
  });

  it("removes the bytes of a file once when two sweeps come to it at once", async () => {
    const account = await createTestAccount();
    const sessionId = await oldSession(account, 8);
    await retain(account, { files: 7 });
    const held = { statement: "SELECT FROM stored_files WHERE session_id = $1 FOR UPDATE", id: sessionId };
    const sweeps = await whileHeld(held, sweepRetention, sweepRetention);
    expect(sweeps.map((sweep) => sweep.status === "fulfilled" && sweep.value)).toEqual(
      expect.arrayContaining([{ ...NOTHING, files: 1 }, NOTHING]),
    );
  });

  it("removes files also when what was to be removed of them is not noted", async () => {
    const account = await createTestAccount();
    await oldSession(account, 8);
    await retain(account, { files: 7 });
    const forget = vi.spyOn(BytesRemoval.prototype, "remove").mockRejectedValueOnce(new Error("The database is away."));
    expect(await sweepRetention()).toEqual({ ...NOTHING, files: 1 });
    forget.mockRestore();
    expect((await sweepUploads()).removed).toBe(1);
  });

  it("removes more files and calls than one batch holds, and about as many as it was told to", async () => {
    const { accountId, projectId } = await createTestAccount();
    const many = (table: string, columns: string, values: string, count: number) =>
      db().query(
        `INSERT INTO ${table} (id, account_id, project_id, created_at, ${columns})
         SELECT '${table}_' || n, $1, $2, now() - interval '9 days', ${values} FROM generate_series(1, ${count}) n`,
        [accountId, projectId],
      );
    const file = "purpose, store, url, name, content_type, size, sha256, storage_key, expires_at";
    const fileOf = (key: string, expiresAt: string) =>
      `'input', 'disk', '', '', '', 1, '', lpad('${key}' || n, 40, '0'), ${expiresAt}`;
    await many("stored_files", file, fileOf("a", "CASE WHEN n > 150 THEN now() END"), 300);
    await many("call_logs", "request_id, endpoint, path, status, duration_ms", "'req', 'GET /x', '/x', 200, 1", 2_000);
    await retain({ projectId } as TestAccount, { files: 7, logs: 7 });
    expect(await sweepRetention(60)).toEqual({ ...NOTHING, expiredFiles: 100, files: 100, calls: 1_000, isMore: true });
    expect(await sweepRetention()).toEqual({ ...NOTHING, expiredFiles: 50, files: 50, calls: 1_000 });
  });

  it("removes what was read and heard of a file with its bytes", async () => {
    const account = await createTestAccount();
    const sessionId = await oldSession(account, 8);
    await db().query(
      `UPDATE stored_files SET extraction = '{"text":"read"}', transcript = 'heard', transcript_draft = '{"text":"heard"}'
       WHERE session_id = $1`,
      [sessionId],
    );
    await retain(account, { files: 7 });
    await sweepRetention();
    const { rows } = await db().query(
      "SELECT extraction, transcript, transcript_draft FROM stored_files WHERE session_id = $1",
      [sessionId],
    );
    expect(rows).toEqual([{ extraction: null, transcript: null, transcript_draft: null }]);
  });

  it("leaves files with a time of their own, such as exports, until that is over", async () => {
    const account = await createTestAccount();
    const sessionId = await oldSession(account, 8);
    await db().query("UPDATE stored_files SET expires_at = now() + interval '1 day' WHERE session_id = $1", [
      sessionId,
    ]);
    await retain(account, { files: 7 });
    expect(await sweepRetention()).toEqual(NOTHING);
    expect(await left(account)).toMatchObject({ files: 1 });
  });

  it("leaves the files of sessions in which work is open until it ends", async () => {
    const account = await createTestAccount();
    const sessionId = await oldSession(account, 8, false);
    await retain(account, { files: 7 });
    expect(await sweepRetention()).toEqual(NOTHING);
    expect(await left(account)).toMatchObject({ files: 1 });
    const { rows } = await db().query<{ id: string }>("SELECT id FROM turns WHERE session_id = $1", [sessionId]);
    await endTurn(rows[0]?.id ?? "", null, completedEnd());
    expect(await sweepRetention()).toEqual({ ...NOTHING, files: 1 });
  });

  it("removes logs past their days, but nothing that is still to be sent", async () => {
    const account = await createTestAccount();
    await oldSession(account, 91);
    const waiting = await oldSession(account, 91);
    await oldSession(account, 89);
    await db().query("UPDATE webhook_deliveries SET status = 'pending' WHERE session_id = $1", [waiting]);
    await retain(account, { files: 200, logs: 90 });
    expect(await sweepRetention()).toEqual({ ...NOTHING, calls: 2, deliveries: 1 });
    expect(await left(account)).toEqual({ sessions: 3, turns: 3, files: 3, deliveries: 2, calls: 1 });
  });

  it("removes files whose own time is over, whatever projects say", async () => {
    const account = await createTestAccount();
    await oldSession(account, 1);
    await db().query("UPDATE stored_files SET expires_at = now() - interval '1 second' WHERE project_id = $1", [
      account.projectId,
    ]);
    expect(await sweepRetention()).toEqual({ ...NOTHING, expiredFiles: 1 });
    expect(await left(account)).toMatchObject({ files: 0, sessions: 1 });
  });

  it("goes on with the rest when a store fails, and tries again the next time", async () => {
    const account = await createTestAccount();
    await oldSession(account, 31);
    await db().query("UPDATE stored_files SET expires_at = now() - interval '1 second' WHERE project_id = $1", [
      account.projectId,
    ]);
    await retain(account, { logs: 30 });
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValue(new Error("The disk is away."));
    expect(await sweepRetention()).toEqual({ ...NOTHING, calls: 1, deliveries: 1, failures: 1 });
    remove.mockRestore();
    expect(await sweepRetention()).toEqual({ ...NOTHING, expiredFiles: 1 });
  });
});

import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { db } from "@/lib/db/pool";
import { NO_ALLOWANCES } from "@/lib/domain/principal";
import { TURN_PRIORITY } from "@/lib/domain/turn-priority";
import { storeUpload, type UploadDraft } from "@/lib/services/files/store-upload";
import { sweepUploads } from "@/lib/services/files/sweep-uploads";
import { claimKey } from "@/lib/services/idempotency/claim-key";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { releaseKey } from "@/lib/services/idempotency/release-key";
import { startBatch } from "@/lib/services/process/start-batch";
import { fileStoreOf } from "@/lib/storage/select-store";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "batch-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir }));

afterAll(() => rm(dataDir, { recursive: true }));

const CONTEXT = { requestId: "req_test" };

async function upload({ principal }: TestAccount, count: number): Promise<UploadDraft[]> {
  const files: UploadDraft[] = [];
  for (let index = 0; index < count; index++) {
    const bytes = Buffer.from(`content ${index}`);
    const stream = (async function* () {
      yield bytes;
    })();
    files.push(await storeUpload(principal, { name: `file-${index}.txt`, contentType: "text/plain", stream }));
  }
  return files;
}

async function stateOf({ accountId, projectId }: TestAccount) {
  const { rows } = await db().query(
    `SELECT credit_reserved AS reserved,
       (SELECT count(*) FROM sessions WHERE project_id = $2) AS sessions,
       (SELECT count(*) FROM turns WHERE project_id = $2) AS turns,
       (SELECT count(*) FROM stored_files WHERE project_id = $2) AS files,
       (SELECT count(*) FROM pending_uploads WHERE project_id = $2) AS pending,
       (SELECT count(*) FROM outbox_events WHERE data->>'accountId' = $1) AS outbox
     FROM accounts WHERE id = $1`,
    [accountId, projectId],
  );
  return rows[0];
}

describe("a batch", () => {
  it("of 50 files becomes 50 processings, each with its own file, in the order of the files", async () => {
    const account = await createTestAccount();
    const files = await upload(account, 50);
    const answer = await startBatch(account.principal, { prompt: "Sum up", endUserId: "ada" }, files, CONTEXT);
    expect(answer.map(({ fileUrl }) => fileUrl)).toEqual(files.map(({ url }) => url));
    expect(new Set(answer.map(({ status }) => status))).toEqual(new Set(["started"]));
    const { rows } = await db().query(
      `SELECT s.id, s.kind, s.prompt, s.end_user_id, f.name, f.url, f.turn_id = t.id AS own_turn, m.content
       FROM sessions s JOIN stored_files f ON f.id = s.file_id AND f.session_id = s.id JOIN turns t ON t.session_id = s.id
       JOIN messages m ON m.session_id = s.id WHERE s.project_id = $1 ORDER BY s.id`,
      [account.projectId],
    );
    expect(rows).toEqual(
      answer.map(({ sessionId, fileUrl }, index) => ({
        id: sessionId,
        kind: "process",
        prompt: "Sum up",
        end_user_id: "ada",
        name: `file-${index}.txt`,
        url: fileUrl,
        own_turn: true,
        content: "Sum up",
      })),
    );
    expect(await stateOf(account)).toEqual({
      reserved: 50,
      sessions: 50,
      turns: 50,
      files: 50,
      pending: 0,
      outbox: 50,
    });
  });

  it("waits behind what else its account sends", async () => {
    const account = await createTestAccount();
    await startBatch(account.principal, { prompt: "Sum up" }, await upload(account, 2), CONTEXT);
    const { rows } = await db().query(
      "SELECT (data->>'priority')::int AS priority FROM outbox_events WHERE data->>'accountId' = $1",
      [account.accountId],
    );
    expect(rows).toEqual([{ priority: TURN_PRIORITY.bulk }, { priority: TURN_PRIORITY.bulk }]);
  });

  it("without credits for all is refused whole, and says what it needs", async () => {
    const account = await createTestAccount({ credits: 9 });
    const files = await upload(account, 10);
    await expect(startBatch(account.principal, { prompt: "x" }, files, CONTEXT)).rejects.toMatchObject({
      code: "INSUFFICIENT_CREDITS",
      message: expect.stringMatching(/about 10 credits and 9 are free/),
    });
    expect(await stateOf(account)).toEqual({ reserved: 0, sessions: 0, turns: 0, files: 0, pending: 10, outbox: 0 });
  });

  it("keeps its answer for its idempotency key with the work, or does neither", async () => {
    const account = await createTestAccount();
    const call = { key: "batch-1", requestHash: Buffer.from("call"), requestId: "req_test", status: 202 };
    const take = async () => {
      const result = await claimKey(account.principal, call);
      if (!("claim" in result)) throw new Error("It was answered before.");
      return result.claim;
    };
    const lost = await take();
    await releaseKey(lost);
    const send = (idempotency: IdempotencyClaim, files: UploadDraft[]) =>
      startBatch(account.principal, {}, files, { ...CONTEXT, idempotency });
    const files = await upload(account, 2);
    await expect(send(lost, files)).rejects.toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS" });
    expect(await stateOf(account)).toMatchObject({ reserved: 0, sessions: 0, pending: 2, outbox: 0 });
    const answer = await send(await take(), files);
    expect(await claimKey(account.principal, call)).toEqual({ kept: { status: 202, body: expect.any(String) } });
    expect(answer).toHaveLength(2);
  });

  it("with a file that is gone is refused whole", async () => {
    const account = await createTestAccount();
    const files = await upload(account, 3);
    await db().query("DELETE FROM pending_uploads WHERE storage_key = $1", [files[1]?.storageKey]);
    await expect(startBatch(account.principal, { prompt: "x" }, files, CONTEXT)).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    expect(await stateOf(account)).toMatchObject({ reserved: 0, sessions: 0, files: 0, pending: 2 });
  });

  it("takes none when one of the uploads is just being removed", async () => {
    const account = await createTestAccount();
    const files = await upload(account, 2);
    await db().query("UPDATE pending_uploads SET leased_until = now() WHERE storage_key = $1", [files[1]?.storageKey]);
    const answers = Promise.withResolvers<void>();
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockImplementation(() => answers.promise);
    const sweep = sweepUploads();
    await vi.waitFor(() => expect(remove).toHaveBeenCalledWith(files[1]?.storageKey));
    await expect(startBatch(account.principal, { prompt: "x" }, files, CONTEXT)).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    answers.reject(new Error("The disk is away."));
    remove.mockRestore();
    expect(await sweep).toEqual({ removed: 0, failed: 1 });
    expect(await stateOf(account)).toMatchObject({ reserved: 0, sessions: 0, files: 0, pending: 2 });
  });

  it("promises each file no more than the call, or its project, allows it to cost", async () => {
    const prompt = "Sum up what is said here. ".repeat(10_000);
    const [bound, free] = [await createTestAccount(), await createTestAccount()];
    await startBatch(bound.principal, { prompt, maxCredits: 2 }, await upload(bound, 3), CONTEXT);
    expect(await stateOf(bound)).toMatchObject({ reserved: 6, turns: 3 });
    const ofProject = await createTestAccount();
    const principal = { ...ofProject.principal, allowances: { ...NO_ALLOWANCES, call: 1 } };
    await startBatch(principal, { prompt, maxCredits: 2 }, await upload(ofProject, 3), CONTEXT);
    expect(await stateOf(ofProject)).toMatchObject({ reserved: 3, turns: 3 });
    await startBatch(free.principal, { prompt }, await upload(free, 3), CONTEXT);
    expect((await stateOf(free)).reserved).toBeGreaterThan(6);
  });

  it("does not take another project's uploads", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    const files = [...(await upload(mine, 1)), ...(await upload(theirs, 1))];
    await expect(startBatch(mine.principal, { prompt: "x" }, files, CONTEXT)).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    expect(await stateOf(theirs)).toMatchObject({ pending: 1 });
  });

  it("at once with others never promises more credits than there are", async () => {
    const account = await createTestAccount({ credits: 20 });
    const batches = await Promise.all([...Array(8)].map(() => upload(account, 5)));
    const results = await Promise.allSettled(
      batches.map((files) => startBatch(account.principal, { prompt: "x" }, files, CONTEXT)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    expect(await stateOf(account)).toMatchObject({ reserved: 20, sessions: 20, files: 20, pending: 20 });
  });

  it("stores every file's bytes once", async () => {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const { rows } = await db().query(
      "SELECT (SELECT count(*) FROM stored_files) + (SELECT count(*) FROM pending_uploads) AS n",
    );
    // One row of an upload was taken away above; its bytes are there.
    expect(entries.filter((entry) => entry.isFile())).toHaveLength(rows[0].n + 1);
  });
});

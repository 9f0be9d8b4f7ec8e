import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { whileFailing } from "@/e2e/support/failing-statement";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { MAX_FILE_BYTES, MAX_OPEN_UPLOADS, UPLOAD_BEGIN_MINUTES, UPLOAD_USE_MINUTES } from "@/lib/domain/limits";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import { beginUpload } from "@/lib/services/files/begin-upload";
import { discardUpload } from "@/lib/services/files/discard-upload";
import { receiveUpload } from "@/lib/services/files/receive-upload";
import { releaseSessionFiles } from "@/lib/services/files/release-files";
import type { FileOwner, UploadDraft } from "@/lib/services/files/store-upload";
import { ABANDONED_UPLOAD_MINUTES, sweepUploads } from "@/lib/services/files/sweep-uploads";
import { takeUpload } from "@/lib/services/files/take-upload";
import { openTicket, sealTicket } from "@/lib/services/files/upload-ticket";
import { sealSecret } from "@/lib/services/people/sealed-secret";
import { fileStoreOf } from "@/lib/storage/select-store";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "direct-upload-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.com" }));
beforeAll(async () => {
  delete process.env.BLOB_READ_WRITE_TOKEN;
});

afterAll(() => rm(dataDir, { recursive: true }));

beforeEach(async () => {
  await db().query("TRUNCATE pending_uploads, stored_files");
  await rm(join(dataDir, "files"), { recursive: true, force: true });
  // A store that has had files takes no new ones where it has none at all.
  await mkdir(join(dataDir, "files", "00"), { recursive: true });
});

const owner: FileOwner = { accountId: newId("account"), projectId: newId("project") };
const PDF = Buffer.from("%PDF-1.7\n%âãÏÓ\n");

describe("beginUpload", () => {
  it("gives an address of the service's own for the announced size, and stores nothing", async () => {
    const given = await begin(PDF.length, "../Report.pdf");
    expect(given).toEqual({
      uploadId: expect.stringMatching(/^v1\./),
      uploadUrl: `https://files.example.com/files/${given.uploadId}`,
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      expiresAt: expect.stringMatching(/Z$/),
      maxBytes: PDF.length,
    });
    expect(openTicket(given.uploadId).name).toBe("Report.pdf");
    expect([await pendingCount(), await filesBelow()]).toEqual([1, []]);
  });

  it("refuses a file above 500 MB before it is sent, and takes one of just that", async () => {
    await expect(begin(MAX_FILE_BYTES + 1)).rejects.toMatchObject({ code: "FILE_TOO_LARGE", param: "size" });
    expect(await pendingCount()).toBe(0);
    expect(await begin(MAX_FILE_BYTES)).toMatchObject({ maxBytes: MAX_FILE_BYTES });
  });

  it("refuses more than a project may leave unused, whatever comes at once; another project is not held up", async () => {
    await Promise.all(Array.from({ length: MAX_OPEN_UPLOADS - 1 }, () => begin(1)));
    // Whoever comes while another call begins its upload waits for it, and counts it too.
    const [late] = await whileHeld(
      {
        statement: "SELECT pg_advisory_xact_lock(hashtextextended('direct uploads ' || $1, 0))",
        id: owner.projectId,
        meanwhile: () =>
          db().query("INSERT INTO pending_uploads (storage_key, store, project_id) VALUES ('last', 'disk', $1)", [
            owner.projectId,
          ]),
      },
      () => begin(1),
    );
    expect(late).toMatchObject({ status: "rejected", reason: { code: "RATE_LIMITED" } });
    await expect(begin(1)).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 60 });
    await beginUpload({ ...owner, projectId: newId("project") }, { name: "a", size: 1 });
    await db().query("UPDATE pending_uploads SET started_at = now() - make_interval(mins => $1)", [UPLOAD_USE_MINUTES]);
    await begin(1);
  });
});

describe("an upload of which no byte comes, before its store's first file", () => {
  beforeEach(() => rm(join(dataDir, "files"), { recursive: true }));

  it("is not found by a call, and the sweep forgets it", async () => {
    const { uploadId } = await begin(5);
    await expect(takeUpload(owner, uploadId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await db().query("UPDATE pending_uploads SET started_at = now() - interval '1 day'");
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect(await pendingCount()).toBe(0);
  });

  it("takes no file of before for lost: where the database knows of one, the disk is not mounted", async () => {
    await db().query("INSERT INTO pending_uploads (storage_key, store, project_id) VALUES ($1, 'disk', $2)", [
      "0".repeat(40),
      owner.projectId,
    ]);
    const { uploadId } = await begin(5);
    await expect(takeUpload(owner, uploadId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await sweepUploads(0)).toEqual({ removed: 0, failed: 2 });
  });
});

describe("receiveUpload", () => {
  it("takes the bytes once; a second upload is refused and changes nothing", async () => {
    const { uploadId } = await begin(5);
    await send(uploadId, "first");
    // Whose first answer was lost is not told to send all of it to another place.
    const refusal = { code: "NOT_FOUND", message: expect.stringContaining("Call POST /process with its uploadId") };
    await expect(send(uploadId, "other")).rejects.toMatchObject(refusal);
    expect((await takeUpload(owner, uploadId)).sha256).toBe(sha256("first"));
  });

  it("lets one of two that come at once through, whole", async () => {
    const { uploadId } = await begin(5);
    const outcomes = await Promise.allSettled([send(uploadId, "first"), send(uploadId, "other")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const winner = outcomes[0]?.status === "fulfilled" ? "first" : "other";
    expect((await takeUpload(owner, uploadId)).sha256).toBe(sha256(winner));
  });

  it.each([
    ["more", "FILE_TOO_LARGE", "more than five"],
    ["fewer", "VALIDATION_FAILED", "abc"],
    ["no", "VALIDATION_FAILED", ""],
  ])("refuses %s bytes than announced, leaves none, and may be tried again", async (_what, code, text) => {
    const { uploadId } = await begin(5);
    await expect(send(uploadId, text)).rejects.toMatchObject({ code });
    expect(await filesBelow()).toEqual([]);
    await expect(takeUpload(owner, uploadId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await send(uploadId, "whole");
    expect((await takeUpload(owner, uploadId)).sha256).toBe(sha256("whole"));
  });

  it.each([
    [6, "FILE_TOO_LARGE"],
    [4, "VALIDATION_FAILED"],
  ])("refuses another length that is told before it reads a byte: %i", async (declaredBytes, code) => {
    const { uploadId } = await begin(5);
    const stream = { [Symbol.asyncIterator]: vi.fn() };
    const refused = receiveUpload(uploadId, { stream, declaredBytes });
    await expect(refused).rejects.toMatchObject({ code });
    expect(stream[Symbol.asyncIterator]).not.toHaveBeenCalled();
  });

  it("leaves no bytes of an upload that breaks off", async () => {
    const { uploadId } = await begin(100);
    const broken = (async function* () {
      yield Buffer.from("half");
      throw new Error("gone");
    })();
    await expect(receiveUpload(uploadId, { stream: broken, declaredBytes: null })).rejects.toThrow("gone");
    expect([await filesBelow(), await pendingCount()]).toEqual([[], 1]);
  });

  it("says what went wrong first, and takes the bytes once more when its store is back: what was left of them goes before", async () => {
    const { uploadId } = await begin(5);
    const folder = join(dataDir, "files");
    const away = (async function* () {
      yield Buffer.from("half");
      await rename(folder, `${folder}.away`);
      yield Buffer.from("!");
    })();
    const refused = { code: "SERVICE_UNAVAILABLE" };
    await expect(receiveUpload(uploadId, { stream: away, declaredBytes: null })).rejects.toMatchObject(refused);
    await expect(send(uploadId, "whole"), "while it is away").rejects.toMatchObject(refused);
    await rm(folder, { recursive: true, force: true });
    await rename(`${folder}.away`, folder);
    expect([await filesBelow(), await pendingCount()]).toEqual([[expect.stringMatching(/[.]part$/)], 1]);
    await expect(takeUpload(owner, uploadId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await send(uploadId, "whole");
    expect((await takeUpload(owner, uploadId)).sha256).toBe(sha256("whole"));
    expect(await filesBelow()).toEqual([openTicket(uploadId).storageKey]);
  });

  it("leaves no bytes when the upload was erased while it was written", async () => {
    const { uploadId } = await begin(5);
    const erased = (async function* () {
      yield Buffer.from("whole");
      await discardUpload(openTicket(uploadId));
    })();
    await expect(receiveUpload(uploadId, { stream: erased, declaredBytes: null })).rejects.toThrow();
    expect([await filesBelow(), await pendingCount()]).toEqual([[], 0]);
  });

  it.each([
    ["it was swept", "DELETE FROM pending_uploads"],
    ["its account was erased", "UPDATE pending_uploads SET project_id = ''"],
  ])("leaves no bytes when %s before the first of them was on the disk", async (_what, erase) => {
    const { uploadId } = await begin(5);
    // Whoever did that has found no bytes to remove.
    const erased = (async function* () {
      await db().query(erase);
      yield Buffer.from("whole");
    })();
    const upload = receiveUpload(uploadId, { stream: erased, declaredBytes: null });
    await expect(upload).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await filesBelow()).toEqual([]);
  });

  /** A call that uses an upload as soon as its bytes are there. */
  function useAtOnce(uploadId: string): void {
    const store = fileStoreOf("disk");
    const write = store.write.bind(store);
    vi.spyOn(store, "write").mockImplementationOnce(async (...sent) => {
      const written = await write(...sent);
      await adopt(await takeUpload(owner, uploadId));
      return written;
    });
  }

  it("keeps the bytes that a call uses before their sender has heard that they are there", async () => {
    const { uploadId } = await begin(5);
    useAtOnce(uploadId);
    await send(uploadId, "whole");
    expect(await filesBelow()).toEqual([openTicket(uploadId).storageKey]);
  });

  const IS_WANTED = {
    number: 1,
    of: /^SELECT 1 FROM pending_uploads WHERE storage_key = [$]1 AND project_id = [$]2\s+UNION/,
  };

  it("keeps them also where nobody can say at that moment whether one uses them", async () => {
    const { uploadId } = await begin(5);
    useAtOnce(uploadId);
    const { outcome } = await whileFailing(IS_WANTED, "cut", () => send(uploadId, "whole"));
    expect(outcome.status).toBe("rejected");
    expect(await filesBelow()).toEqual([openTicket(uploadId).storageKey]);
  });

  it("takes the bytes once more where nobody could say whether they were wanted, and no call uses them", async () => {
    const { uploadId } = await begin(5);
    const { outcome } = await whileFailing(IS_WANTED, "cut", () => send(uploadId, "whole"));
    expect(outcome.status).toBe("rejected");
    expect([await filesBelow(), await pendingCount()]).toEqual([[], 1]);
    await send(uploadId, "whole");
    expect(await takeUpload(owner, uploadId)).toMatchObject({ size: 5 });
  });

  it("refuses one that begins too late", async () => {
    const { uploadId } = await begin(5);
    await expect(send(await aged(uploadId, UPLOAD_BEGIN_MINUTES), "whole")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it.each([-2, 2])("takes one on a machine whose clock is %i hours off, and so does its use", async (off) => {
    const { uploadId } = await begin(5);
    const nowMs = Date.now() + off * 3_600_000;
    const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
    try {
      await send(uploadId, "whole");
      expect(await takeUpload(owner, uploadId)).toMatchObject({ size: 5 });
    } finally {
      clock.mockRestore();
    }
  });

  it("refuses what is no ticket, also when the service sealed it", async () => {
    for (const text of ["", "v1.nonsense", "x".repeat(10_000), sealSecret("{}"), sealSecret("whsec_secret")]) {
      await expect(send(text, "whole")).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect(await filesBelow()).toEqual([]);
  });
});

describe("takeUpload", () => {
  it("gives a draft like any other: kind by content, hash, size, address", async () => {
    const { uploadId } = await begin(PDF.length, "report.txt", "text/plain");
    await send(uploadId, PDF);
    const draft = await takeUpload(owner, uploadId);
    expect(draft).toEqual({
      storageKey: openTicket(uploadId).storageKey,
      store: "disk",
      url: `https://files.example.com/files/${draft.storageKey}`,
      size: PDF.length,
      sha256: sha256(PDF),
      name: "report.txt",
      contentType: "application/pdf",
      isByReference: true,
    });
  });

  it("takes nothing by itself; adopting it does, and only one of two at once", async () => {
    const { uploadId } = await uploaded();
    const drafts = [await takeUpload(owner, uploadId), await takeUpload(owner, uploadId)];
    const outcomes = await Promise.allSettled(drafts.map(adopt));
    const [refused] = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toMatchObject({ reason: { code: "NOT_FOUND", param: "uploadId" } });
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(takeUpload(owner, uploadId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is still there, to be tried again, when the store breaks off or gives too little of it", async () => {
    const { uploadId } = await uploaded();
    const size = 5;
    const brokenOff = new ReadableStream({ pull: (controller) => controller.error(new Error("The store is away.")) });
    for (const stream of [new Blob(["four"]).stream(), brokenOff]) {
      vi.spyOn(fileStoreOf("disk"), "read").mockResolvedValueOnce({ size, stream });
      await expect(takeUpload(owner, uploadId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    }
    expect(await takeUpload(owner, uploadId)).toMatchObject({ size });
  });

  it("gives one answer to all that cannot be used", async () => {
    const [foreign, empty, used, old] = [await uploaded(), await begin(5), await uploaded(), await uploaded()];
    await adopt(await takeUpload(owner, used.uploadId));
    const stranger = { ...owner, projectId: newId("project") };
    const answers = [
      await failureOf(() => takeUpload(stranger, foreign.uploadId)),
      await failureOf(() => takeUpload(owner, "v1.made-up")),
      await failureOf(() => takeUpload(owner, empty.uploadId)),
      await failureOf(() => takeUpload(owner, used.uploadId)),
      await failureOf(async () => takeUpload(owner, await aged(old.uploadId, UPLOAD_USE_MINUTES))),
    ];
    for (const answer of answers) expect(answer).toEqual({ ...answers[0], code: "NOT_FOUND", param: "uploadId" });
    expect((await takeUpload(owner, foreign.uploadId)).size).toBe(5);
  });

  it("takes nothing of a processing that was deleted, though its bytes are still there", async () => {
    const { uploadId } = await uploaded();
    const use = { sessionId: newId("session"), turnId: newId("turn"), endUserId: null, purpose: "input" as const };
    const [draft, slow] = [await takeUpload(owner, uploadId), await takeUpload(owner, uploadId)];
    await inTransaction((tx) => adoptUpload(tx, owner, draft, use));
    await inTransaction((tx) => releaseSessionFiles(tx, [use.sessionId]));
    await expect(takeUpload(owner, uploadId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(adopt(slow), "of a call that read it before").rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is over when the sweep has come, which takes the bytes along and comes later than any use", async () => {
    const { uploadId } = await uploaded();
    expect(ABANDONED_UPLOAD_MINUTES).toBeGreaterThan(UPLOAD_USE_MINUTES);
    await db().query("UPDATE pending_uploads SET started_at = now() - make_interval(mins => $1)", [
      ABANDONED_UPLOAD_MINUTES + 1,
    ]);
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect([await filesBelow(), await pendingCount()]).toEqual([[], 0]);
    await expect(takeUpload(owner, uploadId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

function begin(size: number, name = "a.txt", contentType?: string) {
  return beginUpload(owner, { name, size, ...(contentType !== undefined && { contentType }) });
}

async function uploaded() {
  const given = await begin(5);
  await send(given.uploadId, "whole");
  return given;
}

function send(ticket: string, content: string | Buffer): Promise<void> {
  const stream = (async function* () {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
  })();
  return receiveUpload(ticket, { stream, declaredBytes: null });
}

function adopt(draft: UploadDraft): Promise<string> {
  const use = { sessionId: newId("session"), turnId: newId("turn"), endUserId: null, purpose: "input" as const };
  return inTransaction((tx) => adoptUpload(tx, owner, draft, use));
}

/** An upload as if it had begun that many minutes earlier. */
async function aged(uploadId: string, minutes: number): Promise<string> {
  const ticket = openTicket(uploadId);
  const age = "UPDATE pending_uploads SET started_at = started_at - make_interval(mins => $2) WHERE storage_key = $1";
  await db().query(age, [ticket.storageKey, minutes]);
  return sealTicket({ ...ticket, startedAtMs: ticket.startedAtMs - minutes * 60_000 });
}

async function failureOf(work: () => Promise<unknown>) {
  const error = (await work().catch((thrown: unknown) => thrown)) as { code: string; message: string; param: string };
  return { code: error.code, message: error.message, param: error.param };
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

async function pendingCount(): Promise<number> {
  const { rows } = await db().query<{ count: number }>("SELECT count(*)::int AS count FROM pending_uploads");
  return rows[0]?.count ?? -1;
}

async function filesBelow(): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

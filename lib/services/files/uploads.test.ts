import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { safeDisplayName } from "@/lib/domain/file-name";
import { newId } from "@/lib/domain/ids";
import { MAX_OPEN_UPLOADS } from "@/lib/domain/limits";
import { adoptUpload, type FileUse } from "@/lib/services/files/adopt-upload";
import { discardUpload } from "@/lib/services/files/discard-upload";
import { openProjectFile, openStoredFile } from "@/lib/services/files/open-file";
import { openFileToRead } from "@/lib/services/files/open-file-to-read";
import { releaseSessionFiles } from "@/lib/services/files/release-files";
import { BytesRemoval } from "@/lib/services/files/remove-bytes";
import { removeFiles } from "@/lib/services/files/remove-files";
import { type FileOwner, storeUpload, type UploadDraft } from "@/lib/services/files/store-upload";
import { ABANDONED_UPLOAD_MINUTES, sweepUploads } from "@/lib/services/files/sweep-uploads";
import { waitBriefly } from "@/lib/services/files/wait-briefly";
import { fileStoreOf } from "@/lib/storage/select-store";
import { newStorageKey } from "@/lib/storage/storage-key";

let parent: string;
let dataDir: string;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "uploads-"));
  dataDir = join(parent, "data");
  delete process.env.BLOB_READ_WRITE_TOKEN;
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, STORAGE_URL: "https://files.example.com" }));

afterAll(() => rm(parent, { recursive: true }));

beforeEach(async () => {
  await db().query("TRUNCATE pending_uploads, stored_files");
  await rm(dataDir, { recursive: true, force: true });
  // A store that has had files: of one without any nobody can say that a file is gone.
  await mkdir(join(dataDir, "files", "00"), { recursive: true, mode: 0o700 });
});

const owner: FileOwner = { accountId: newId("account"), projectId: newId("project") };
const use = (over: Partial<FileUse> = {}): FileUse => ({
  sessionId: newId("session"),
  turnId: newId("turn"),
  endUserId: null,
  purpose: "input",
  ...over,
});

describe("storeUpload", () => {
  it("gives a draft with what the content is, its hash and its address", async () => {
    const draft = await store("%PDF-1.7\n%âãÏÓ\n", { name: "../Report.pdf", contentType: "text/html" });
    expect(draft).toEqual({
      storageKey: expect.stringMatching(/^[0-9a-f]{40}$/),
      store: "disk",
      url: `https://files.example.com/files/${draft.storageKey}`,
      size: 19,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      name: "Report.pdf",
      contentType: "application/pdf",
    });
    expect(await pendingKeys()).toEqual([draft.storageKey]);
  });

  it("has its row before its bytes, so that a crash at any time leaves nothing unknown", async () => {
    const seen: number[] = [];
    await storeUpload(owner, {
      name: "a",
      contentType: "",
      stream: (async function* () {
        seen.push((await pendingKeys()).length);
        yield Buffer.from("x");
      })(),
    });
    expect(seen).toEqual([1]);
  });

  it.each([0, 10, 100_000])("leaves neither file nor row when the upload is cut off after %i bytes", async (size) => {
    const cutOff = (async function* () {
      yield Buffer.alloc(size);
      throw new Error("aborted");
    })();
    await expect(storeUpload(owner, { name: "a", contentType: "", stream: cutOff })).rejects.toThrow("aborted");
    expect(await filesBelow(parent)).toEqual([]);
    expect(await pendingKeys()).toEqual([]);
  });

  it("leaves neither file nor row of a file that is too large", async () => {
    const tooLarge = storeUpload(owner, {
      name: "a",
      contentType: "",
      stream: inChunks(Buffer.alloc(2000)),
      maxBytes: 1999,
    });
    await expect(tooLarge).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
    expect(await filesBelow(parent)).toEqual([]);
    expect(await pendingKeys()).toEqual([]);
  });

  it("never lets a client's name touch a path: 20,000 traversal names", async () => {
    // Some go the whole way; all of them become a label, and are tried as a key.
    const names = traversalNames(20_000);
    const keys = new Set<string>();
    for (const name of names.filter((_, index) => index % 50 === 0)) {
      const draft = await store("x", { name });
      expect(draft.name).not.toMatch(/[/\\\0]/);
      keys.add(draft.storageKey);
    }
    for (const name of names) {
      expect(safeDisplayName(name)).not.toMatch(/[/\\\0]/);
      expect(await fileStoreOf("disk").read(name)).toBeNull();
      await fileStoreOf("disk").remove(name);
    }
    const files = await filesBelow(parent);
    expect(files).toHaveLength(keys.size);
    expect(files.every((path) => path.startsWith(join(dataDir, "files")) && keys.has(path.slice(-40)))).toBe(true);
  });
});

const KINDS: [content: Buffer | string, claimed: string, contentType: string][] = [
  ["plain text", "application/octet-stream", "text/plain"],
  ["# Title", "text/markdown", "text/markdown"],
  ["a,b\n1,2", "text/csv; charset=utf-8", "text/csv"],
  ['{"a":1}', "application/json", "application/json"],
  ["<html><script>alert(1)</script>", "text/html", "text/plain"],
  ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "image/svg+xml", "text/plain"],
  ["alert(1)", "text/javascript", "text/plain"],
  ["Grüße 日本", "nonsense", "text/plain"],
  ["BMW;Größe\n1;2\n", "text/csv", "text/csv"],
  ["MZ is how programs begin.", "", "text/plain"],
  [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52]),
    "text/plain",
    "image/png",
  ],
  [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "text/html", "image/jpeg"],
  [Buffer.from([1, 2, 3, 0, 5]), "text/plain", "application/octet-stream"],
  [Buffer.from([0xc3, 0x28]), "text/plain", "application/octet-stream"],
  [Buffer.concat([Buffer.alloc(65_535, "a"), Buffer.from("é".repeat(10))]), "text/plain", "text/plain"],
  [Buffer.from([0xc3, 0x28]), "text/csv; charset=CP1251", "text/csv; charset=windows-1251"],
  [Buffer.from([0xc3, 0x28]), "text/html; charset=windows-1251", "text/plain; charset=windows-1251"],
  [Buffer.from([0xc3, 0x28]), "text/plain; charset=utf-8", "application/octet-stream"],
  [Buffer.from([0xc3, 0x28]), "text/plain; charset=made-up", "application/octet-stream"],
  [Buffer.from([0xc3, 0x28]), "image/png; charset=windows-1251", "application/octet-stream"],
  [Buffer.from([1, 2, 3, 0, 5]), "text/plain; charset=windows-1251", "application/octet-stream"],
  ["Grüße", "text/plain; charset=windows-1251", "text/plain"],
  ["plain", "text/plain; charset=windows-1251", "text/plain"],
  [
    Buffer.concat([Buffer.alloc(70_000, "a"), Buffer.from([0xcf, 0xf0])]),
    "text/plain; charset=windows-1251",
    "text/plain; charset=windows-1251",
  ],
  [Buffer.concat([Buffer.alloc(65_535, "a"), Buffer.from([0xc3])]), "text/plain", "application/octet-stream"],
];

it.each(KINDS)("the content decides the type (case %#: claimed %3$s)", async (content, claimed, contentType) => {
  const draft = await store(content, { contentType: claimed });
  expect(draft.contentType).toBe(contentType);
  const [path = ""] = await filesBelow(parent);
  expect((await readFile(path)).equals(Buffer.from(content))).toBe(true);
});

describe("adoptUpload", () => {
  it("makes the upload a file of its session and ends its row", async () => {
    const draft = await store("hello", { name: "a.txt" });
    const given = use({ endUserId: "user-1" });
    const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, given));
    const { rows } = await db().query("SELECT * FROM stored_files");
    expect(rows).toEqual([
      expect.objectContaining({
        id: fileId,
        account_id: owner.accountId,
        project_id: owner.projectId,
        session_id: given.sessionId,
        turn_id: given.turnId,
        end_user_id: "user-1",
        purpose: "input",
        store: "disk",
        storage_key: draft.storageKey,
        url: draft.url,
        name: "a.txt",
        content_type: "text/plain",
        size: 5,
        sha256: draft.sha256,
      }),
    ]);
    expect(await pendingKeys()).toEqual([]);
  });

  it("gives the file to the session's end user where the call names none: it is erased with them", async () => {
    const account = await createTestAccount();
    const given = use();
    await db().query(
      `INSERT INTO sessions (id, account_id, project_id, kind, status, end_user_id)
       VALUES ($1, $2, $3, 'chat', 'started', 'ada')`,
      [given.sessionId, account.accountId, account.projectId],
    );
    const stream = inChunks(Buffer.from("hello"));
    const draft = await storeUpload(account, { name: "file.txt", contentType: "", stream });
    await inTransaction((tx) => adoptUpload(tx, account, draft, given));
    expect((await db().query("SELECT end_user_id FROM stored_files")).rows).toEqual([{ end_user_id: "ada" }]);
  });

  it("rolled back leaves an upload that can be discarded", async () => {
    const draft = await store("hello");
    const work = inTransaction(async (tx) => {
      await adoptUpload(tx, owner, draft, use());
      throw new Error("no credits");
    });
    await expect(work).rejects.toThrow("no credits");
    expect(await pendingKeys()).toEqual([draft.storageKey]);
    await discardUpload(draft);
    expect(await filesBelow(parent)).toEqual([]);
    expect(await pendingKeys()).toEqual([]);
  });

  it("refuses an upload that was swept, another project's, and the same one twice", async () => {
    const draft = await store("hello");
    const stranger = { ...owner, projectId: newId("project") };
    const adopt = (by: FileOwner) => inTransaction((tx) => adoptUpload(tx, by, draft, use()));
    await expect(adopt(stranger)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await adopt(owner);
    await expect(adopt(owner)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});

describe("discardUpload", () => {
  it("keeps an adopted file, and a second discard is no error", async () => {
    const draft = await store("hello");
    await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    await discardUpload(draft);
    expect(await filesBelow(parent)).toHaveLength(1);
    const other = await store("other");
    await discardUpload(other);
    await discardUpload(other);
    expect(await filesBelow(parent)).toHaveLength(1);
  });

  it("keeps no call waiting for a store that says nothing: what it left goes with the next sweep", async () => {
    const draft = await store("hello");
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockReturnValue(new Promise(() => {}));
    onTestFinished(() => remove.mockRestore());
    await waitBriefly(discardUpload(draft), 20);
    await expect.poll(() => remove.mock.calls).toEqual([[draft.storageKey]]);
    remove.mockRestore();
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect(await filesBelow(parent)).toEqual([]);
  });

  it("removes bytes whose row was taken while they came in, as an erasure of their account does", async () => {
    const coming = Promise.withResolvers<void>();
    const storing = storeUpload(owner, {
      name: "a",
      contentType: "",
      stream: (async function* () {
        await coming.promise;
        yield Buffer.from("late");
      })(),
    });
    await expect.poll(pendingKeys).toHaveLength(1);
    for (const storageKey of await pendingKeys()) await discardUpload({ storageKey, store: "disk" });
    coming.resolve();
    const draft = await storing;
    await expect(inTransaction((tx) => adoptUpload(tx, owner, draft, use()))).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    await discardUpload(draft);
    expect(await filesBelow(parent)).toEqual([]);
  });

  it("keeps nobody from the database while the store says nothing", async () => {
    const drafts = await Promise.all(Array.from({ length: 40 }, () => store("x")));
    const answers = Promise.withResolvers<void>();
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockImplementation(() => answers.promise);
    const discarded = Promise.all(drafts.map(discardUpload));
    await vi.waitFor(() => expect(remove).toHaveBeenCalledTimes(drafts.length));
    answers.resolve();
    await discarded;
    remove.mockRestore();
    expect(await pendingKeys()).toEqual([]);
  });

  it("leaves the row to the sweep when the bytes cannot be removed", async () => {
    const draft = await store("hello");
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValueOnce(new Error("away"));
    await expect(discardUpload(draft)).rejects.toThrow("away");
    remove.mockRestore();
    expect(await pendingKeys()).toEqual([draft.storageKey]);
  });
});

describe("sweepUploads", () => {
  it("removes abandoned uploads with their bytes, and no others", async () => {
    const abandoned = [await store("one"), await store("two")];
    await age(abandoned, ABANDONED_UPLOAD_MINUTES + 1);
    const young = await store("young");
    const adopted = await store("adopted");
    await inTransaction((tx) => adoptUpload(tx, owner, adopted, use()));
    expect(await sweepUploads()).toEqual({ removed: 2, failed: 0 });
    expect(await pendingKeys()).toEqual([young.storageKey]);
    expect((await filesBelow(parent)).map((path) => path.slice(-40)).sort()).toEqual(
      [young.storageKey, adopted.storageKey].sort(),
    );
    expect(await sweepUploads()).toEqual({ removed: 0, failed: 0 });
  });

  it("removes what a crash in mid-upload left: a part of a file and its row", async () => {
    const rest = Promise.withResolvers<never>();
    const crashed = storeUpload(owner, {
      name: "a",
      contentType: "",
      stream: (async function* () {
        yield Buffer.alloc(3_000_000);
        await rest.promise;
      })(),
    });
    await vi.waitFor(async () => expect(await filesBelow(parent)).toEqual([expect.stringMatching(/\.part$/)]));
    await db().query("UPDATE pending_uploads SET started_at = now() - interval '1 day'");
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect(await filesBelow(parent)).toEqual([]);
    // A process that is gone has closed its file.
    rest.reject(new Error("over"));
    await expect(crashed).rejects.toThrow("over");
  });

  it("leaves to the next sweep what cannot be removed now, and goes on with the rest", async () => {
    const drafts = [await store("one"), await store("two"), await store("three")];
    await age(drafts, 1000);
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValueOnce(new Error("away"));
    const told = vi.spyOn(await import("@/lib/log"), "log");
    expect(await sweepUploads()).toEqual({ removed: 2, failed: 1 });
    remove.mockRestore();
    const inWords = expect.stringContaining("could not be removed");
    expect(told.mock.calls).toEqual([["warn", inWords, { failed: 1 }, new Error("away")]]);
    told.mockRestore();
    expect(await pendingKeys()).toHaveLength(1);
    expect(await sweepUploads()).toEqual({ removed: 1, failed: 0 });
    expect(await filesBelow(parent)).toEqual([]);
  });

  it("removes in an hour what many projects leave in one, so that it never falls behind", async () => {
    const projects = 11;
    await db().query(
      `INSERT INTO pending_uploads (storage_key, store, project_id, started_at)
       SELECT lpad(n::text, 40, '0'), 'disk', $1, to_timestamp(0) FROM generate_series(1, $2::int) n`,
      [owner.projectId, projects * MAX_OPEN_UPLOADS],
    );
    expect(await sweepUploads()).toEqual({ removed: projects * MAX_OPEN_UPLOADS, failed: 0 });
  });

  it("goes on with another store when all of one fail, however many", async () => {
    const draft = await store("mine");
    await age([draft], 1000);
    await db().query(
      `INSERT INTO pending_uploads (storage_key, store, project_id, started_at)
       SELECT lpad(n::text, 40, '0'), 'blob', $1, to_timestamp(0) FROM generate_series(1, 1100) n`,
      [owner.projectId],
    );
    const { removed, failed } = await sweepUploads();
    expect(removed).toBe(1);
    expect(failed).toBeLessThan(30);
    expect(await filesBelow(parent)).toEqual([]);
  });

  it("holds no transaction while the store says nothing: Postgres would end it, and the sweep, after a minute", async () => {
    const draft = await store("mine");
    await age([draft], 1000);
    const answers = Promise.withResolvers<void>();
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockImplementation(() => answers.promise);
    const sweep = sweepUploads();
    await vi.waitFor(() => expect(remove).toHaveBeenCalled());
    const { rowCount } = await db().query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
    );
    expect(rowCount).toBe(0);
    await expect(inTransaction((tx) => adoptUpload(tx, owner, draft, use()))).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
    });
    answers.resolve();
    expect(await sweep).toEqual({ removed: 1, failed: 0 });
    remove.mockRestore();
    expect(await pendingKeys()).toEqual([]);
  });

  it("does not take an upload that is being adopted, and two sweeps share the work", async () => {
    const draft = await store("mine");
    await age([draft], 1000);
    await inTransaction(async (tx) => {
      await adoptUpload(tx, owner, draft, use());
      expect(await sweepUploads()).toEqual({ removed: 0, failed: 0 });
    });
    expect(await filesBelow(parent)).toHaveLength(1);
    const many = await Promise.all(Array.from({ length: 20 }, () => store("x")));
    await age(many, 1000);
    const results = await Promise.all([sweepUploads(), sweepUploads(), sweepUploads()]);
    expect(results.reduce((sum, { removed }) => sum + removed, 0)).toBe(20);
  });
});

describe("reading", () => {
  it("opens a file by its key, and by its id in its project alone", async () => {
    const draft = await store("0123456789", { name: "digits.txt" });
    await expect(openStoredFile(draft.storageKey)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const file = await openStoredFile(draft.storageKey);
    expect(file).toMatchObject({
      id: fileId,
      name: "digits.txt",
      contentType: "text/plain",
      size: 10,
      sha256: draft.sha256,
    });
    expect((await buffer((await file.read()) as AsyncIterable<Uint8Array>)).toString()).toBe("0123456789");
    expect((await buffer((await file.read({ start: 3, end: 5 })) as AsyncIterable<Uint8Array>)).toString()).toBe("345");
    expect((await openProjectFile(owner.projectId, fileId)).id).toBe(fileId);
    await expect(openProjectFile(newId("project"), fileId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([0, 9, 11])(
    "gives nothing of a file of 10 bytes that has %i in its store: nobody could tell",
    async (bytes) => {
      const draft = await store("0123456789");
      const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
      const { storageKey } = draft;
      await writeFile(
        join(dataDir, "files", storageKey.slice(0, 2), storageKey.slice(2, 4), storageKey),
        "x".repeat(bytes),
      );
      const file = await openStoredFile(storageKey);
      const lost = { code: "NOT_FOUND", status: 404 };
      const read = vi.spyOn(fileStoreOf("disk"), "read");
      await expect(file.read()).rejects.toMatchObject(lost);
      const found = await read.mock.results[0]?.value;
      read.mockRestore();
      // Else each try to get it would leave an open file behind.
      expect((await found.stream.getReader().read()).done).toBe(true);
      await expect(file.read({ start: 0, end: 1 })).rejects.toMatchObject(lost);
      await expect(file.find()).rejects.toMatchObject(lost);
      const unreadable = { name: "TurnError", code: "UNSUPPORTED_FILE", isRetryable: false };
      const { bytesSource } = await openFileToRead(owner.projectId, fileId);
      await expect(bytesSource()).rejects.toMatchObject(unreadable);
      await expect(bytesSource({ start: 0, end: 1 })).rejects.toMatchObject(unreadable);
    },
  );

  it.each([
    ["cut short", 1_000_000],
    ["longer", 5_000_000],
  ])("fails of a file that is made %s while it is read, instead of ending as if that were all", async (_how, bytes) => {
    const draft = await store("x".repeat(4_000_000));
    await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const { storageKey } = draft;
    const reader = (await (await openStoredFile(storageKey)).read()).getReader();
    expect((await reader.read()).value?.byteLength).toBeGreaterThan(0);
    await truncate(join(dataDir, "files", storageKey.slice(0, 2), storageKey.slice(2, 4), storageKey), bytes);
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("finds no file that is being removed, also when its store fails; removing it again goes on", async () => {
    const draft = await store("personal");
    const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const filter = { where: "f.id = $1", values: [fileId] };
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValue(new Error("The disk is away."));
    await expect(removeFiles(filter)).rejects.toThrow("The disk is away.");
    await expect(openStoredFile(draft.storageKey)).rejects.toMatchObject({ code: "NOT_FOUND" });
    remove.mockRestore();
    expect(await removeFiles(filter)).toBe(1);
  });

  it("asks a store that fails again and again for no more of many files: each may take a minute to fail", async () => {
    const remove = vi.spyOn(fileStoreOf("disk"), "remove").mockRejectedValue(new Error("The disk is away."));
    const places = Array.from({ length: 200 }, () => ({ storageKey: newStorageKey(), store: "disk" as const }));
    expect(await new BytesRemoval().remove(places)).toEqual([]);
    expect(remove.mock.calls.length).toBeLessThan(30);
    remove.mockRestore();
  });

  it("ends no removal while a file is left, also when another takes one of them at that moment", async () => {
    const sessionId = newId("session");
    const drafts = await Promise.all(Array.from({ length: 101 }, () => store("x")));
    const ids = await inTransaction(async (tx) => {
      const adopted: string[] = [];
      for (const draft of drafts) adopted.push(await adoptUpload(tx, owner, draft, use({ sessionId })));
      return adopted;
    });
    const filter = { where: "f.session_id = $1", values: [sessionId] };
    const hold = { statement: "DELETE FROM stored_files WHERE id = $1", id: ids[0] ?? "" };
    const [removed] = await whileHeld(hold, () => removeFiles(filter));
    expect(removed.status).toBe("fulfilled");
    expect((await db().query("SELECT FROM stored_files WHERE session_id = $1", [sessionId])).rowCount).toBe(0);
    expect(await filesBelow(parent)).toEqual([]);
  });

  it("waits for nobody who removes the same files with their session and waits for it", async () => {
    const sessionId = newId("session");
    const ids = Array.from({ length: 3 }, () => newId("file"));
    // Not in the order of their ids, as files are of which something was noted since they came.
    for (const id of ids.toReversed()) {
      const draft = await store("x");
      await inTransaction((tx) => adoptUpload(tx, owner, draft, use({ sessionId }), id));
    }
    const [released, removed] = await whileHeld(
      { statement: "SELECT FROM stored_files WHERE id = $1 FOR UPDATE", id: ids[1] ?? "" },
      () => inTransaction((tx) => releaseSessionFiles(tx, [sessionId])),
      () => removeFiles({ where: "f.session_id = $1", values: [sessionId] }),
    );
    expect([released.status, removed.status]).toEqual(["fulfilled", "fulfilled"]);
    await sweepUploads();
    expect(await filesBelow(parent)).toEqual([]);
  });

  it("goes on with another store when one fails, and says so at the end", async () => {
    const sessionId = newId("session");
    const drafts = [await store("one"), await store("two"), await store("three")];
    await inTransaction(async (tx) => {
      for (const draft of drafts) await adoptUpload(tx, owner, draft, use({ sessionId }));
    });
    await db().query("UPDATE stored_files SET store = 'blob' WHERE storage_key = $1", [drafts[0]?.storageKey]);
    const filter = { where: "f.session_id = $1", values: [sessionId] };
    await expect(removeFiles(filter)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    const { rows } = await db().query("SELECT store FROM stored_files WHERE session_id = $1", [sessionId]);
    expect(rows).toEqual([{ store: "blob" }]);
  });

  it("goes on with the other files of a store when some cannot be removed, and says so at the end", async () => {
    const sessionId = newId("session");
    const drafts = await Promise.all(Array.from({ length: 120 }, () => store("x")));
    await inTransaction(async (tx) => {
      for (const draft of drafts) await adoptUpload(tx, owner, draft, use({ sessionId }));
    });
    const disk = fileStoreOf("disk");
    const remove = disk.remove.bind(disk);
    const broken = drafts.slice(0, 5).map(({ storageKey }) => storageKey);
    const failing = vi.spyOn(disk, "remove").mockImplementation(async (key) => {
      if (broken.includes(key)) throw new Error("The disk cannot read this folder.");
      return remove(key);
    });
    const filter = { where: "f.session_id = $1", values: [sessionId] };
    await expect(removeFiles(filter)).rejects.toThrow("The disk cannot read this folder.");
    failing.mockRestore();
    const { rows } = await db().query("SELECT storage_key FROM stored_files WHERE session_id = $1", [sessionId]);
    expect(rows.map((row) => row.storage_key).sort()).toEqual(broken.toSorted());
  });

  it("finds no file that was deleted, whose bytes are gone, or whose key is no key", async () => {
    const draft = await store("x");
    await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const file = await openStoredFile(draft.storageKey);
    await fileStoreOf("disk").remove(draft.storageKey);
    await expect(file.read()).rejects.toMatchObject({ code: "NOT_FOUND" });
    await db().query("UPDATE stored_files SET deleted_at = now()");
    for (const key of [draft.storageKey, "0".repeat(40), "../x", "", "%00"]) {
      await expect(openStoredFile(key)).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "This file was not found.",
      });
    }
  });

  it("gives the background a stream of all of it or of a part", async () => {
    const draft = await store("content");
    const fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, use()));
    const stream = await (await openProjectFile(owner.projectId, fileId)).read();
    expect((await buffer(stream as AsyncIterable<Uint8Array>)).toString()).toBe("content");
    const part = await (await openProjectFile(owner.projectId, fileId)).read({ start: 3, end: 5 });
    expect((await buffer(part as AsyncIterable<Uint8Array>)).toString()).toBe("ten");
  });
});

it("everything below the data folder is readable by its user alone", async () => {
  await store("private");
  for (const path of await filesBelow(parent)) {
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect((await stat(dirname(path))).mode & 0o077).toBe(0);
  }
});

function store(content: string | Buffer, over: { name?: string; contentType?: string } = {}): Promise<UploadDraft> {
  return storeUpload(owner, { name: "file.txt", contentType: "", stream: inChunks(Buffer.from(content)), ...over });
}

async function* inChunks(bytes: Buffer, chunkBytes = 30_000) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function pendingKeys(): Promise<string[]> {
  const { rows } = await db().query<{ storage_key: string }>(
    "SELECT storage_key FROM pending_uploads ORDER BY started_at",
  );
  return rows.map((row) => row.storage_key);
}

async function age(drafts: UploadDraft[], minutes: number): Promise<void> {
  await db().query(
    "UPDATE pending_uploads SET started_at = now() - make_interval(mins => $1) WHERE storage_key = ANY($2)",
    [minutes, drafts.map((draft) => draft.storageKey)],
  );
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Every mix of ways up, separators, spellings and targets, up to a count. */
function traversalNames(count: number): string[] {
  const ups = ["..", "%2e%2e", "..%00", "....", "..;", "．．", "%252e%252e", "\u202E..", "..\0", "."];
  const separators = ["/", "\\", "%2f", "%5c", "//", "\\\\", "／", "%c0%af", "/./", "\r\n/"];
  const targets = [
    "etc/passwd",
    "data/x",
    "files",
    "C:\\boot.ini",
    "0".repeat(40),
    `${"a".repeat(40)}.part`,
    "",
    "con",
    "x.txt",
    "~root",
  ];
  const names: string[] = [];
  for (let depth = 1; names.length < count; depth += 1) {
    for (const up of ups)
      for (const separator of separators)
        for (const target of targets) names.push((up + separator).repeat(depth) + target);
  }
  return names.slice(0, count);
}

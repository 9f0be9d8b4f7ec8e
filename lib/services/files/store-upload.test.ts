import { readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestAccount } from "@/e2e/support/test-account";
import { inChunks, owner, pendingKeys, store, use, useUploadStage } from "@/e2e/support/upload-stage";
import { db, inTransaction } from "@/lib/db/pool";
import { safeDisplayName } from "@/lib/domain/file-name";
import { newId } from "@/lib/domain/ids";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import { discardUpload } from "@/lib/services/files/discard-upload";
import { type FileOwner, storeUpload } from "@/lib/services/files/store-upload";
import { fileStoreOf } from "@/lib/storage/select-store";

const stage = useUploadStage();

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
    expect(await stage.files()).toEqual([]);
    expect(await pendingKeys()).toEqual([]);
  });

  it.each([0, 10])(
    "is none before a store's first file, too: what is cut off after %i bytes leaves no row",
    async (size) => {
      await rm(join(stage.dataDir, "files"), { recursive: true });
      const cutOff = (async function* () {
        yield Buffer.alloc(size);
        throw new Error("aborted");
      })();
      await expect(storeUpload(owner, { name: "a", contentType: "", stream: cutOff })).rejects.toThrow("aborted");
      expect(await pendingKeys()).toEqual([]);
    },
  );

  it("leaves neither file nor row of a file that is too large", async () => {
    const tooLarge = storeUpload(owner, {
      name: "a",
      contentType: "",
      stream: inChunks(Buffer.alloc(2000)),
      maxBytes: 1999,
    });
    await expect(tooLarge).rejects.toMatchObject({ code: "FILE_TOO_LARGE" });
    expect(await stage.files()).toEqual([]);
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
    const files = await stage.files();
    expect(files).toHaveLength(keys.size);
    expect(files.every((path) => path.startsWith(join(stage.dataDir, "files")) && keys.has(path.slice(-40)))).toBe(
      true,
    );
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
  // As Excel saves it in Western Europe, and as "Unicode text".
  [Buffer.from("Straße;Größe\nKönigsallee;1\n", "latin1"), "text/csv", "text/csv"],
  [Buffer.from("BMW;Größe der Räder\n1;für Händler\n", "latin1"), "application/octet-stream", "text/plain"],
  [Buffer.from("\ufeffStraße;Größe\n", "utf16le"), "text/csv", "text/csv; charset=utf-16le"],
  [Buffer.from("Name;Size of what it is\n", "utf16le"), "", "text/plain; charset=utf-16le"],
  [Buffer.from("\ufeff<?xml version='1.0' encoding='utf-16'?><a/>", "utf16le"), "", "text/plain; charset=utf-16le"],
  [Buffer.from("\ufeff<html><script>alert(1)</script>", "utf16le"), "text/html", "text/plain; charset=utf-16le"],
  [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52]),
    "text/plain",
    "image/png",
  ],
  [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "text/html", "image/jpeg"],
  [Buffer.from([1, 2, 3, 0, 5]), "text/plain", "application/octet-stream"],
  [Buffer.from([0x61, 0xc3, 0x28]), "text/plain", "text/plain"],
  // Letters that nobody wrote, alone.
  [Buffer.from([0xc3, 0x28]), "text/plain", "application/octet-stream"],
  [Buffer.concat([Buffer.alloc(65_535, "a"), Buffer.from("é".repeat(10))]), "text/plain", "text/plain"],
  [Buffer.from([0xc3, 0x28]), "text/csv; charset=CP1251", "text/csv; charset=windows-1251"],
  [Buffer.from([0xc3, 0x28]), "text/html; charset=windows-1251", "text/plain; charset=windows-1251"],
  [Buffer.from([0x61, 0xc3, 0x28]), "text/plain; charset=utf-8", "text/plain"],
  [Buffer.from([0x61, 0xc3, 0x28]), "text/plain; charset=made-up", "text/plain"],
  [Buffer.from([0xc3, 0x28]), "image/png; charset=windows-1251", "text/plain"],
  [Buffer.from([1, 2, 3, 0, 5]), "text/plain; charset=windows-1251", "application/octet-stream"],
  ["Grüße", "text/plain; charset=windows-1251", "text/plain"],
  ["plain", "text/plain; charset=windows-1251", "text/plain"],
  [
    Buffer.concat([Buffer.alloc(70_000, "a"), Buffer.from([0xcf, 0xf0])]),
    "text/plain; charset=windows-1251",
    "text/plain; charset=windows-1251",
  ],
  [Buffer.concat([Buffer.alloc(65_535, "a"), Buffer.from([0xc3])]), "text/plain", "text/plain"],
];

it.each(KINDS)("the content decides the type (case %#: claimed %3$s)", async (content, claimed, contentType) => {
  const draft = await store(content, { contentType: claimed });
  expect(draft.contentType).toBe(contentType);
  const [path = ""] = await stage.files();
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
    expect(await stage.files()).toEqual([]);
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

it("everything below the data folder is readable by its user alone", async () => {
  await store("private");
  const paths = await stage.files();
  expect(paths).toHaveLength(1);
  for (const path of paths) {
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect((await stat(dirname(path))).mode & 0o077).toBe(0);
  }
});

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

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { adoptUpload } from "@/lib/services/files/adopt-upload";
import { openProjectFile } from "@/lib/services/files/open-file";
import { openFileToRead } from "@/lib/services/files/open-file-to-read";
import { removeFiles } from "@/lib/services/files/remove-files";
import { type FileOwner, storeUpload } from "@/lib/services/files/store-upload";
import { fileStoreOf } from "@/lib/storage/select-store";
import { storeAway } from "@/lib/storage/store-away";

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "lost-files-"));
});
useServiceDatabase(() => ({ DATA_DIR: dataDir, LOG_LEVEL: "info", LOG_FORMAT: "json" }));
beforeAll(() => {
  delete process.env.BLOB_READ_WRITE_TOKEN;
});
afterAll(() => rm(dataDir, { recursive: true }));

const owner: FileOwner = { accountId: newId("account"), projectId: newId("project") };
let fileId: string;
let storageKey: string;
let lines: Record<string, unknown>[];

beforeEach(async () => {
  // Of a store without any file nothing can be said.
  await mkdir(join(dataDir, "files", "00"), { recursive: true });
  const stream = (async function* () {
    yield Buffer.from("0123456789");
  })();
  const draft = await storeUpload(owner, { name: "digits.txt", contentType: "", stream });
  storageKey = draft.storageKey;
  const use = { sessionId: newId("session"), turnId: newId("turn"), endUserId: null, purpose: "input" as const };
  fileId = await inTransaction((tx) => adoptUpload(tx, owner, draft, use));
  lines = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
});
afterEach(() => vi.restoreAllMocks());

describe("a file that work in the background needs", () => {
  it("ends the work for good where the store has lost it: no further try would find it", async () => {
    const { bytesSource } = await openFileToRead(owner.projectId, fileId);
    await fileStoreOf("disk").remove(storageKey);
    await expect(bytesSource()).rejects.toMatchObject({ code: "UNSUPPORTED_FILE", isRetryable: false });
  });

  it("is told of in the log where its store breaks off in the middle: a download can only end there", async () => {
    const { read } = await openProjectFile(owner.projectId, fileId);
    const pull = (controller: ReadableStreamDefaultController) => controller.error(new Error("reset by peer"));
    vi.spyOn(fileStoreOf("disk"), "read").mockResolvedValueOnce({ size: 10, stream: new ReadableStream({ pull }) });
    await expect(buffer((await read()) as AsyncIterable<Uint8Array>)).rejects.toThrow("reset by peer");
    expect(lines).toMatchObject([
      {
        level: "warn",
        message: "The store broke off while a file was read.",
        fileId,
        bytesPromised: 10,
        bytesThere: 0,
      },
    ]);
    expect(JSON.stringify(lines)).toContain("reset by peer");
  });

  it("is asked for again where its store is away: it is still there", async () => {
    const { bytesSource } = await openFileToRead(owner.projectId, fileId);
    vi.spyOn(fileStoreOf("disk"), "read").mockRejectedValueOnce(storeAway(new Error("no route")));
    await expect(bytesSource()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect((await buffer((await bytesSource()) as AsyncIterable<Uint8Array>)).toString()).toBe("0123456789");
  });
});

it("a file that its store has lost is told of to whoever runs the service, so that it can be found and put back", async () => {
  const file = await openProjectFile(owner.projectId, fileId);
  await fileStoreOf("disk").remove(storageKey);
  await expect(file.find()).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(lines).toMatchObject([{ level: "warn", fileId, store: "disk", storageKey, bytes: 10, bytesThere: null }]);
});

it("a file that is deleted while somebody opens it is not there, and is no loss to be told of", async () => {
  const file = await openProjectFile(owner.projectId, fileId);
  await removeFiles({ where: "f.id = $1", values: [fileId] });
  await expect(file.read()).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(file.find()).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(lines).toEqual([]);
});

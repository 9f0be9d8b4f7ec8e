import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, vi } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import type { FileUse } from "@/lib/services/files/adopt-upload";
import { type FileOwner, storeUpload, type UploadDraft } from "@/lib/services/files/store-upload";

/** A database and a disk store for uploads, without any at the start of each test. */
interface UploadStage {
  /** The folder of the service's data. */
  readonly dataDir: string;
  /** All files below the folder in which that one is. */
  files(): Promise<string[]>;
  /** Where the bytes of a key are. */
  pathOf(storageKey: string): string;
  /** Begins an upload whose rest never comes, as of a process that dies; a part of its file is there. */
  uploadHalf(): Promise<HalfUpload>;
}

interface HalfUpload {
  /** As of a process that is gone by now; what it left may be gone, too. */
  closeFile(): Promise<void>;
}

export function useUploadStage(): UploadStage {
  let parent = "";
  let dataDir = "";
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
  return {
    get dataDir() {
      return dataDir;
    },
    files: () => filesBelow(parent),
    uploadHalf: () => uploadHalf(parent),
    pathOf: (storageKey) => join(dataDir, "files", storageKey.slice(0, 2), storageKey.slice(2, 4), storageKey),
  };
}

/** Whose uploads they are. */
export const owner: FileOwner = { accountId: newId("account"), projectId: newId("project") };

/** What an upload becomes a file of. */
export const use = (over: Partial<FileUse> = {}): FileUse => ({
  sessionId: newId("session"),
  turnId: newId("turn"),
  endUserId: null,
  purpose: "input",
  ...over,
});

/** Uploads it for the owner. */
export function store(
  content: string | Buffer,
  over: { name?: string; contentType?: string } = {},
): Promise<UploadDraft> {
  return storeUpload(owner, { name: "file.txt", contentType: "", stream: inChunks(Buffer.from(content)), ...over });
}

export async function* inChunks(bytes: Buffer, chunkBytes = 30_000) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

/** Of the uploads that are no files yet, the oldest first. */
export async function pendingKeys(): Promise<string[]> {
  const { rows } = await db().query<{ storage_key: string }>(
    "SELECT storage_key FROM pending_uploads ORDER BY started_at",
  );
  return rows.map((row) => row.storage_key);
}

/** Makes uploads begin so long ago. */
export async function age(drafts: UploadDraft[], minutes: number): Promise<void> {
  await db().query(
    "UPDATE pending_uploads SET started_at = now() - make_interval(mins => $1) WHERE storage_key = ANY($2)",
    [minutes, drafts.map((draft) => draft.storageKey)],
  );
}

async function uploadHalf(directory: string): Promise<HalfUpload> {
  const rest = Promise.withResolvers<never>();
  const uploading = storeUpload(owner, {
    name: "a",
    contentType: "",
    stream: (async function* () {
      yield Buffer.alloc(3_000_000);
      await rest.promise;
    })(),
  });
  await vi.waitFor(async () => expect(await filesBelow(directory)).toEqual([expect.stringMatching(/\.part$/)]));
  return {
    async closeFile() {
      rest.reject(new Error("over"));
      await expect(uploading).rejects.toThrow("over");
    },
  };
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

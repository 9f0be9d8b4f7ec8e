import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import type { ByteRange } from "@/lib/domain/byte-range";
import { AppError } from "@/lib/domain/errors";
import { ByteMeter, untilAborted } from "@/lib/storage/byte-meter";
import type { FileStore, StoredBytes, WriteOptions, WrittenFile } from "@/lib/storage/file-store";
import { isStorageKey } from "@/lib/storage/storage-key";

/** Collected before each write call, so that many small chunks cost few calls; two of these per upload are in memory. */
const WRITE_BATCH_BYTES = 1024 * 1024;
const READ_CHUNK_BYTES = 256 * 1024;
/** Kept free for the database beside the files, which cannot live with a full disk. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;
const FREE_CHECK_EVERY_BYTES = 32 * 1024 * 1024;
const RETRY_WHEN_FULL_SECONDS = 60;
const FULL_OR_EXHAUSTED = new Set(["ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE"]);

/** What is needed of an open file. */
export interface WritableDiskFile {
  writev(batch: Uint8Array[]): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The system calls of a write; a test puts failing ones in their place. */
export interface DiskCalls {
  /** Makes a new file; one that exists is an error (EEXIST). */
  open(path: string): Promise<WritableDiskFile>;
  freeBytes(directory: string): Promise<number>;
}

export interface DiskFileStoreOptions {
  /** Absolute; made when it is missing. */
  directory: string;
  /** {storage_url} */
  publicUrl: string;
  minFreeBytes?: number;
  calls?: Partial<DiskCalls>;
}

/** Files in folders below one directory, each readable by the service's user alone. */
export class DiskFileStore implements FileStore {
  readonly kind = "disk";
  private readonly calls: DiskCalls;

  constructor(private readonly options: DiskFileStoreOptions) {
    this.calls = { open: (path) => open(path, "wx", 0o600), freeBytes, ...options.calls };
  }

  async write(key: string, body: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<WrittenFile> {
    const path = this.pathOf(key);
    const partPath = `${path}.part`;
    const meter = new ByteMeter(options.maxBytes);
    try {
      await this.makeFolder(dirname(path));
      await this.requireFreeSpace();
      await this.writePart(partPath, untilAborted(body, options.signal), meter);
      await rename(partPath, path);
      await syncFolder(dirname(path));
    } catch (error) {
      // EEXIST: another write of this key is going on; what is there is not ours.
      if (codeOf(error) !== "EEXIST") await this.remove(key).catch(() => {});
      throw asStoreError(error);
    }
    return { ...meter.finish(), url: `${this.options.publicUrl}/files/${key}` };
  }

  async read(key: string, range?: ByteRange): Promise<StoredBytes | null> {
    if (!isStorageKey(key)) return null;
    const path = this.pathOf(key);
    const found = await stat(path).catch(nullWhenMissing);
    if (!found) return null;
    const file = createReadStream(path, { ...range, highWaterMark: READ_CHUNK_BYTES });
    return { stream: Readable.toWeb(file, { type: "bytes" }) as ReadableStream<Uint8Array<ArrayBuffer>>, size: found.size };
  }

  async remove(key: string): Promise<void> {
    if (!isStorageKey(key)) return;
    const path = this.pathOf(key);
    await Promise.all([rm(path, { force: true }), rm(`${path}.part`, { force: true })]);
  }

  private pathOf(key: string): string {
    if (!isStorageKey(key)) throw new Error("Not a storage key.");
    return join(this.options.directory, key.slice(0, 2), key.slice(2, 4), key);
  }

  /** A name is on disk only when its folder is; a new folder's name stands in the folder above. */
  private async makeFolder(folder: string): Promise<void> {
    const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (firstMade === undefined) return;
    await Promise.all([dirname(folder), dirname(dirname(folder))].map(syncFolder));
  }

  private async requireFreeSpace(): Promise<void> {
    const free = await this.calls.freeBytes(this.options.directory);
    if (free < (this.options.minFreeBytes ?? MIN_FREE_BYTES)) throw storeFull();
  }

  /** One batch is written while the next one arrives. */
  private async writePart(path: string, body: AsyncIterable<Uint8Array>, meter: ByteMeter): Promise<void> {
    const file = await this.calls.open(path);
    let writing: Promise<void> = Promise.resolve();
    let batch: Uint8Array[] = [];
    let batchBytes = 0;
    let untilFreeCheck = FREE_CHECK_EVERY_BYTES;
    const flush = async () => {
      await writing;
      writing = writeFully(file, batch, batchBytes);
      // Its failure is met at the next await; until then it must not count as unhandled.
      writing.catch(() => {});
      untilFreeCheck -= batchBytes;
      batch = [];
      batchBytes = 0;
    };
    try {
      for await (const chunk of body) {
        meter.add(chunk);
        batch.push(chunk);
        batchBytes += chunk.byteLength;
        if (batchBytes >= WRITE_BATCH_BYTES) await flush();
        if (untilFreeCheck <= 0) {
          untilFreeCheck = FREE_CHECK_EVERY_BYTES;
          await this.requireFreeSpace();
        }
      }
      if (batchBytes > 0) await flush();
      await writing;
      await file.datasync();
    } finally {
      await writing.catch(() => {});
      await file.close();
    }
  }
}

/** `writev` may write less than it was given, for instance when the disk is about to be full. */
async function writeFully(file: WritableDiskFile, batch: Uint8Array[], batchBytes: number): Promise<void> {
  let { bytesWritten } = await file.writev(batch);
  while (bytesWritten < batchBytes) {
    const rest = Buffer.concat(batch).subarray(bytesWritten);
    const next = await file.writev([rest]);
    if (next.bytesWritten === 0) throw storeFull();
    bytesWritten += next.bytesWritten;
  }
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and needs no such step.
  const handle = await open(folder, "r").catch(() => null);
  if (!handle) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

function asStoreError(error: unknown): unknown {
  const code = codeOf(error);
  return code !== undefined && FULL_OR_EXHAUSTED.has(code) ? storeFull(error) : error;
}

function storeFull(cause?: unknown): AppError {
  return new AppError("SERVICE_UNAVAILABLE", "The file store has no room right now. Nothing was kept; try again later.", {
    cause,
    retryAfterSeconds: RETRY_WHEN_FULL_SECONDS,
  });
}

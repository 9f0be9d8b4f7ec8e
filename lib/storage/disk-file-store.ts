import { close, createReadStream, fstat, open as openFile } from "node:fs";
import { mkdir, open, opendir, rename, statfs, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import type { ByteRange } from "@/lib/domain/byte-range";
import { BatchedFile, type WritableDiskFile } from "@/lib/storage/batched-file";
import { ByteMeter, untilAborted } from "@/lib/storage/byte-meter";
import { asStoreError, codeOf, nullWhenMissing, storeFull } from "@/lib/storage/disk-errors";
import type { FileStore, StoredBytes, WriteOptions, WrittenFile } from "@/lib/storage/file-store";
import { isStorageKey } from "@/lib/storage/storage-key";
import { storeAway } from "@/lib/storage/store-away";
import { syncFolder } from "@/lib/storage/sync-folder";

const READ_CHUNK_BYTES = 256 * 1024;
const OWNER_ONLY = 0o700;
const FREE_CHECK_EVERY_BYTES = 32 * 1024 * 1024;
/** The system calls of a write; a test puts failing ones in their place. */
export interface DiskCalls {
  /** Makes a new file; one that exists is an error (EEXIST). */
  open(path: string): Promise<WritableDiskFile>;
  mkdir(path: string, options: { recursive?: boolean; mode: number }): Promise<string | undefined>;
  freeBytes(directory: string): Promise<number>;
}

export interface DiskFileStoreOptions {
  /** Absolute; made when it is missing. */
  directory: string;
  /** Kept free for the database beside the files, which cannot live with a full disk. */
  minFreeBytes: number;
  calls?: Partial<DiskCalls>;
}

/** Files in folders below one directory, each readable by the service's user alone. */
export class DiskFileStore implements FileStore {
  readonly kind = "disk";
  private readonly calls: DiskCalls;
  /** Whether this process has seen a file here. */
  private hasFiles = false;

  constructor(private readonly options: DiskFileStoreOptions) {
    this.calls = { open: (path) => open(path, "wx", 0o600), mkdir, freeBytes, ...options.calls };
  }

  async write(key: string, body: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<WrittenFile> {
    const path = this.pathOf(key);
    const partPath = `${path}.part`;
    try {
      // A folder that had files and has none: what is written there is hidden when its disk is back.
      if (this.hasFiles) await this.requireFiles();
      await this.makeFolder(dirname(path));
      await this.requireFreeSpace();
      const written = await this.writePart(partPath, untilAborted(body, options.signal), options.maxBytes);
      await rename(partPath, path);
      await syncFolder(dirname(path));
      this.hasFiles = true;
      return written;
    } catch (error) {
      // EEXIST: another write of this key is going on; what is there is not ours.
      if (codeOf(error) !== "EEXIST") await this.remove(key).catch(() => {});
      throw asStoreError(error);
    }
  }

  async read(key: string, range?: ByteRange): Promise<StoredBytes | null> {
    if (!isStorageKey(key)) return null;
    const path = this.pathOf(key);
    const found = await this.openToRead(path);
    if (!found) return null;
    const { fd, size } = found;
    const file = createReadStream(path, { ...range, fd, highWaterMark: READ_CHUNK_BYTES });
    return { stream: Readable.toWeb(file, { type: "bytes" }) as ReadableStream<Uint8Array<ArrayBuffer>>, size };
  }

  async sizeOf(key: string): Promise<number | null> {
    if (!isStorageKey(key)) return null;
    const found = await this.openToRead(this.pathOf(key));
    if (found) close(found.fd);
    return found?.size ?? null;
  }

  async prepare(key: string, isNew: () => Promise<boolean>): Promise<void> {
    if (this.hasFiles || (await this.hasAny()) || !(await isNew())) return;
    await this.makeFolder(dirname(this.pathOf(key))).catch((error) => {
      throw asStoreError(error);
    });
  }

  grantUpload(): Promise<null> {
    return Promise.resolve(null);
  }

  async remove(key: string): Promise<void> {
    if (!isStorageKey(key)) return;
    const path = this.pathOf(key);
    const gone = await Promise.all([removeIfThere(path), removeIfThere(`${path}.part`)]);
    if (!gone.includes(true)) await this.requireFiles();
    // Its row goes next: what a power cut brings back after that nobody would ever remove.
    await syncFolder(dirname(path));
  }

  private pathOf(key: string): string {
    if (!isStorageKey(key)) throw new Error("Not a storage key.");
    return join(this.options.directory, key.slice(0, 2), key.slice(2, 4), key);
  }

  /** Opened before anything is said of it: what is removed at that moment is there to the end of its answer, or not at all. */
  private async openToRead(path: string): Promise<{ fd: number; size: number } | null> {
    const fd = await promisify(openFile)(path, "r").catch(nullWhenMissing);
    if (fd === null) {
      await this.requireFiles();
      return null;
    }
    this.hasFiles = true;
    const { size } = await promisify(fstat)(fd).catch((error: Error) => {
      close(fd);
      throw error;
    });
    return { fd, size };
  }

  /**
   * For a file that is not there: of a folder without any, as that of a disk that is not mounted, nothing can be said. To take its
   * files for lost would fail work for good, to take them for removed would leave them there when all else of them is erased.
   * @throws AppError SERVICE_UNAVAILABLE
   */
  private async requireFiles(): Promise<void> {
    if (await this.hasAny()) return;
    throw storeAway(
      new Error(`${this.options.directory} has no file at all. Mount its disk; if all are lost, put any file there.`),
    );
  }

  private async hasAny(): Promise<boolean> {
    const folder = await opendir(this.options.directory).catch(nullWhenMissing);
    return Boolean(await folder?.read().finally(() => folder.close()));
  }

  /** A name is on disk only when its folder is; a new folder's name stands in the folder above. */
  private async makeFolder(folder: string): Promise<void> {
    const made = this.calls.mkdir(folder, { recursive: true, mode: OWNER_ONLY });
    const firstMade = await made.catch((error) => this.makeOneByOne(folder, error));
    if (firstMade === undefined) return;
    await Promise.all([dirname(folder), dirname(dirname(folder))].map(syncFolder));
  }

  /** Of a disk that is mounted read-only node says ENOENT when it makes several folders, and what is true of a single one. */
  private async makeOneByOne(folder: string, error: unknown): Promise<string> {
    if (codeOf(error) !== "ENOENT") throw error;
    for (const path of [this.options.directory, dirname(folder), folder]) {
      await this.calls.mkdir(path, { mode: OWNER_ONLY }).catch((refusal) => {
        if (codeOf(refusal) !== "EEXIST") throw refusal;
      });
    }
    return folder;
  }

  private async requireFreeSpace(): Promise<void> {
    const { directory, minFreeBytes } = this.options;
    const free = await this.calls.freeBytes(directory);
    if (free >= minFreeBytes) return;
    // For the log: whoever runs the service reads there why uploads are refused.
    throw storeFull(new Error(`${inMegabytes(free)} MB are free, MIN_FREE_DISK_MB is ${inMegabytes(minFreeBytes)}.`));
  }

  private async writePart(path: string, body: AsyncIterable<Uint8Array>, maxBytes: number) {
    const meter = new ByteMeter(maxBytes);
    const file = new BatchedFile(await this.calls.open(path));
    let checkedAt = 0;
    try {
      for await (const chunk of body) {
        meter.add(chunk);
        await file.add(chunk);
        if (meter.size - checkedAt < FREE_CHECK_EVERY_BYTES) continue;
        checkedAt = meter.size;
        await this.requireFreeSpace();
      }
      return { size: meter.size, sha256: await file.finish() };
    } finally {
      await file.close();
    }
  }
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** @returns whether it was there */
async function removeIfThere(path: string): Promise<boolean> {
  const missing = await unlink(path).catch(nullWhenMissing);
  return missing !== null;
}

const inMegabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);

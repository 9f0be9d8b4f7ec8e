import { FileHash } from "@/lib/storage/file-hash";
import { freeChunks } from "@/lib/storage/free-chunks";

/** Collected before each write call, so that many small chunks cost few calls; two of these per file are in memory. */
const BATCH_BYTES = 1024 * 1024;
/** Handed to the disk while the file still arrives, so that little is left to wait for at its end. */
const SYNC_EVERY_BYTES = 32 * 1024 * 1024;

/** What is needed of an open file. */
export interface WritableDiskFile {
  writev(batch: Uint8Array[]): Promise<{ bytesWritten: number }>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** A file that is written and hashed in batches, one of them while the next one arrives. */
export class BatchedFile {
  private readonly hash = new FileHash();
  private batch: Uint8Array[] = [];
  private batchBytes = 0;
  private unsyncedBytes = 0;
  /** The batch before. */
  private writing: Promise<unknown> = Promise.resolve();
  private syncing: Promise<void> | undefined;

  constructor(private readonly file: WritableDiskFile) {}

  /** Takes bytes that do not change any more; waits while the disk is behind. */
  async add(chunk: Uint8Array): Promise<void> {
    this.batch.push(chunk);
    this.batchBytes += chunk.byteLength;
    if (this.batchBytes < BATCH_BYTES) return;
    await this.writing;
    const { batch, batchBytes } = this.takeBatch();
    this.writing = whenBothEnd(writeFully(this.file, batch, batchBytes), this.hash.update(batch));
    // Its failure is met at the next await; until then it must not count as unhandled.
    this.writing.catch(() => {});
    freeChunks(batchBytes);
    await this.syncNowAndThen(batchBytes);
  }

  /** Makes all of it durable. @returns the SHA-256 in lower-case hex */
  async finish(): Promise<string> {
    await this.writing;
    const { batch, batchBytes } = this.takeBatch();
    const hashing = this.hash.finish(batch);
    this.writing = whenBothEnd(writeFully(this.file, batch, batchBytes), hashing);
    await this.writing;
    await this.syncing;
    await this.file.datasync();
    return hashing;
  }

  /** After `finish()`, or instead of it. */
  async close(): Promise<void> {
    await Promise.allSettled([this.writing, this.syncing]);
    this.hash.discard();
    await this.file.close();
  }

  private takeBatch(): { batch: Uint8Array[]; batchBytes: number } {
    const { batch, batchBytes } = this;
    this.batch = [];
    this.batchBytes = 0;
    return { batch, batchBytes };
  }

  /** A disk reports a failure once: so each sync is awaited before the next one. */
  private async syncNowAndThen(addedBytes: number): Promise<void> {
    this.unsyncedBytes += addedBytes;
    if (this.unsyncedBytes < SYNC_EVERY_BYTES) return;
    this.unsyncedBytes = 0;
    await this.syncing;
    this.syncing = this.file.datasync();
    this.syncing.catch(() => {});
  }
}

/** Not `Promise.all`: when one fails, the other still uses the batch. */
async function whenBothEnd(first: Promise<unknown>, second: Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled([first, second]);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** `writev` may write less than it was given, for instance when the disk is about to be full. */
async function writeFully(file: WritableDiskFile, batch: Uint8Array[], batchBytes: number): Promise<void> {
  if (batchBytes === 0) return;
  let { bytesWritten } = await file.writev(batch);
  while (bytesWritten < batchBytes) {
    const next = await file.writev([Buffer.concat(batch).subarray(bytesWritten)]);
    if (next.bytesWritten === 0) throw Object.assign(new Error("The disk takes no more bytes."), { code: "ENOSPC" });
    bytesWritten += next.bytesWritten;
  }
}

import { createHash } from "node:crypto";
import { processSingleton } from "@/lib/process-singleton";
import { HashThread } from "@/lib/storage/hash-thread";

/** Memory that both threads see, per large file being written. */
const SHARED_BYTES = 2 * 1024 * 1024;

/**
 * SHA-256 of a file that arrives in batches. Hashing costs as much time as writing: of a large file it is done in
 * a thread of its own, beside the writing; a file of one batch is hashed in place.
 */
export class FileHash {
  private job: { id: number; thread: HashThread; shared: Uint8Array } | undefined;

  /** A batch that is not the last one. One at a time. */
  async update(batch: readonly Uint8Array[]): Promise<void> {
    if (!this.job) {
      const thread = hashThread();
      this.job = { id: thread.begin(), thread, shared: new Uint8Array(new SharedArrayBuffer(SHARED_BYTES)) };
    }
    const { id, thread, shared } = this.job;
    let used = 0;
    for (const chunk of batch) {
      for (let at = 0; at < chunk.byteLength; ) {
        const piece = chunk.subarray(at, at + shared.byteLength - used);
        shared.set(piece, used);
        at += piece.byteLength;
        used += piece.byteLength;
        if (used < shared.byteLength) continue;
        await thread.update(id, shared, used);
        used = 0;
      }
    }
    if (used > 0) await thread.update(id, shared, used);
  }

  /** @returns the hash in lower-case hex, with the last batch */
  async finish(lastBatch: readonly Uint8Array[]): Promise<string> {
    if (this.job) {
      await this.update(lastBatch);
      return this.job.thread.finish(this.job.id);
    }
    const hash = createHash("sha256");
    for (const chunk of lastBatch) hash.update(chunk);
    return hash.digest("hex");
  }

  /** Ends it without a result; after `finish()` without effect. */
  discard(): void {
    this.job?.thread.drop(this.job.id);
  }
}

/** One thread for all files; a new one when it ever ends. */
function hashThread(): HashThread {
  const holder = processSingleton("hash-thread", (): { thread?: HashThread } => ({}));
  if (!holder.thread?.isAlive) holder.thread = new HashThread();
  return holder.thread;
}

import { createHash } from "node:crypto";
import { processSingleton } from "@/lib/process-singleton";
import { HashThread } from "@/lib/storage/hash-thread";
import { SharedBlocks } from "@/lib/storage/shared-blocks";

/** Holds a batch, whose last chunk may go beyond a megabyte. */
const BLOCK_BYTES = 2 * 1024 * 1024;
/** The thread hashes one after the other: these are enough for it to go on without a pause. */
const BLOCKS = 4;

/**
 * SHA-256 of a file that arrives in batches. Hashing costs as much time as writing: of a large file it is done in
 * a thread of its own, beside the writing; a file of one batch is hashed in place.
 */
export class FileHash {
  private job: { id: number; thread: HashThread } | undefined;

  /** A batch that is not the last one. One at a time. */
  async update(batch: readonly Uint8Array[]): Promise<void> {
    if (!this.job) {
      const thread = hashThread();
      this.job = { id: thread.begin(), thread };
    }
    const { id, thread } = this.job;
    await sharedBlocks().use(async (shared) => {
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
    });
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

function sharedBlocks(): SharedBlocks {
  return processSingleton("hash-blocks", () => new SharedBlocks(BLOCK_BYTES, BLOCKS));
}

/** One thread for all files; a new one when it ever ends. */
function hashThread(): HashThread {
  const holder = processSingleton("hash-thread", (): { thread?: HashThread } => ({}));
  if (!holder.thread?.isAlive) holder.thread = new HashThread();
  return holder.thread;
}

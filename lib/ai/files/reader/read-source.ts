import type { ByteRange } from "@/lib/domain/byte-range";

/** Where a file's bytes come from, all or a part of them: opened when needed. */
export type BytesSource = (range?: ByteRange) => Promise<AsyncIterable<Uint8Array | string>>;

/** A file that is read where it is needed, and never as a whole. */
export interface RangedFile {
  bytesSource: BytesSource;
  /** Bytes. */
  size: number;
}

/** All of a file, or how to get it, since those who wait for their turn hold none; or one whose reader asks for parts of it. */
export type ReaderSource = Uint8Array | (() => Promise<Uint8Array>) | RangedFile;

export function isRanged(source: ReaderSource): source is RangedFile {
  return "bytesSource" in source;
}

export interface SourceReader {
  /**
   * The first `count` bytes of the file, or all there are. What was read before is kept, so each call may ask for more.
   * `isWhole` says that nothing follows.
   */
  readTo(count: number): Promise<{ bytes: Uint8Array; isWhole: boolean }>;
  /** Lets go of the source, whether read to its end or not. */
  close(): Promise<void>;
}

/** Reads the beginning of a source without taking more of it into memory than was asked for. */
export async function openSource(source: BytesSource): Promise<SourceReader> {
  const iterator = (await source())[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let hasEnded = false;
  return {
    async readTo(count) {
      // One byte more tells whether that is all.
      while (!hasEnded && length <= count) {
        const { done, value } = await iterator.next();
        if (done) hasEnded = true;
        else {
          const chunk = typeof value === "string" ? Buffer.from(value) : value;
          chunks.push(chunk);
          length += chunk.byteLength;
        }
      }
      const all = Buffer.concat(chunks);
      chunks.splice(0, chunks.length, all);
      return { bytes: all.subarray(0, count), isWhole: hasEnded && length <= count };
    },
    async close() {
      if (!hasEnded) await iterator.return?.();
      chunks.length = 0;
    },
  };
}

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { processSingleton } from "@/lib/process-singleton";

type Collect = (options: { type: "minor"; execution: "sync" }) => void;

/**
 * So much of files passes through memory between two collections, each of a millisecond or two. Sooner, chunks of several
 * files at once would still be in use at two of them in a row, and from then on be left to the large collections.
 */
const EVERY_BYTES = 16 * 1024 * 1024;

/**
 * Frees what was written of files, by and by. The bytes of a chunk lie outside of V8's heap and are freed when the small
 * object that stands for them is collected. V8 by itself lets 64 MB of such bytes gather, however few of them are in use.
 * @param bytes that were written since the last call
 */
export function freeChunks(bytes: number): void {
  const state = processSingleton("free-chunks", () => ({ passed: 0, collect: findCollect() }));
  state.passed += bytes;
  if (state.passed < EVERY_BYTES) return;
  state.passed = 0;
  state.collect?.({ type: "minor", execution: "sync" });
}

/** V8 shows it to contexts that are made while the flag is set: to none of ours. */
function findCollect(): Collect | undefined {
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc") as Collect;
  } catch {
    return undefined;
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}

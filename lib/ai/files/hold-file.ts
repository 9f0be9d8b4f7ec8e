import { limitParallel, type TaskOptions } from "@/lib/limit-parallel";
import { processSingleton } from "@/lib/process-singleton";

/** More than are read at once, so that the next one is there when a reader gets free. */
export const MAX_HELD_FILES = 8;
/** All turns together hold no more of smaller ones than of these. */
export const SMALL_FILE_BYTES = 1024 * 1024;

/**
 * Reads a file when there is room for one more in memory. Hundreds of turns run at once, and a few readers: each turn would hold its
 * file, of up to 64 MB, for as long as it waits for a reader. Where files wait, the places are shared out by account.
 * @param read opens the file: what waits holds nothing of it
 * @throws the signal's own reason when it comes before the turn does
 */
export function holdFile<Result>(read: () => Promise<Result>, options: TaskOptions): Promise<Result> {
  return processSingleton("held-files", () => limitParallel(MAX_HELD_FILES))(read, options);
}

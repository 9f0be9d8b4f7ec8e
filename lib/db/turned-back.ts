import { setTimeout as delay } from "node:timers/promises";
import { isTurnedBack } from "@/lib/db/failures";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";

const MAX_TRIES = 3;
/** So long the other one gets to end: whoever begins at once may take a row before it, and give way to it again. */
const PAUSE_MS = 25;

/**
 * Runs a transaction, and runs it again when the database ended it in favour of another one (`isTurnedBack`): its caller would
 * else be told of a fault of ours, where the same call once more goes through. Rows that are taken in one order need none of
 * this: the log tells of each, so that the order can be mended.
 * @param transact begins a transaction of its own each time; what it does beside that may be done twice
 * @throws what `transact` throws, in the end also that it was turned back
 */
export async function againWhenTurnedBack<T>(transact: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transact();
    } catch (error) {
      if (!isTurnedBack(error)) throw error;
      timesTurnedBack().count += 1;
      log("warn", "A transaction was turned back by the database, in favour of another one.", { tries }, error);
      if (tries === MAX_TRIES) throw error;
      await delay(PAUSE_MS * (1 + Math.random()));
    }
  }
}

/** How often that happened in this process. Tests of two that act at once hold that it did not: a second try would hide it. */
export const timesTurnedBack = () => processSingleton("times-turned-back", () => ({ count: 0 }));

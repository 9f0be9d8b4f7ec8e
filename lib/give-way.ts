import { setImmediate } from "node:timers/promises";

/** For so long one piece of work may hold the thread that serves everybody. */
const SLICE_MS = 10;

/** Tells long work on the thread that serves when to let others work, and lets them. */
export interface Pace {
  /** Whether a slice is over: asked between steps that are short. */
  isDue(): boolean;
  /** Lets everything work that waits; then a new slice begins. */
  giveWay(): Promise<void>;
}

/** The pace of one piece of work. */
export function takePace(now: () => number = () => performance.now()): Pace {
  let since = now();
  return {
    isDue: () => now() - since >= SLICE_MS,
    async giveWay() {
      await setImmediate();
      since = now();
    },
  };
}

/** Behind a step that is a slice of its own. */
export async function giveWay(): Promise<void> {
  await setImmediate();
}

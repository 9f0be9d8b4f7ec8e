import { setTimeout as delay } from "node:timers/promises";

export interface TogetherOptions<Item, Result> {
  /** Does the work of several at once; returns a result for each, in their order. */
  work(items: Item[]): Promise<Result[]>;
  /** The most of one go. */
  max: number;
  /** Items of different lanes go apart and do not wait for each other; all share one where this is absent. */
  laneOf?(item: Item): string;
  /** A lane rests so long after a go, so that more comes together. For what nobody waits for: a first call still goes at once. */
  restMs?: number;
  /**
   * Whether a go of several that failed is done again one by one, so that none fails by another's fault. Only where the
   * error says that nothing of it was done, or doing it twice is harmless.
   */
  isRepeatable?(error: unknown): boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Makes a function whose calls go together: the first goes at once, and those that come while it is under way go in one
 * go when it has ended. A busy lane then costs one statement for many, and never waits on itself.
 */
export function together<Item, Result>(options: TogetherOptions<Item, Result>): (item: Item) => Promise<Result> {
  /** Lanes with a go under way, each with what waits for the next one. */
  const lanes = new Map<string, Waiting<Item, Result>[]>();
  return (item) =>
    new Promise((resolve, reject) => {
      const lane = options.laneOf?.(item) ?? "";
      const queue = lanes.get(lane);
      if (queue) {
        queue.push({ item, resolve, reject });
        return;
      }
      const opened: Waiting<Item, Result>[] = [{ item, resolve, reject }];
      lanes.set(lane, opened);
      void workOff(lane, opened);
    });

  async function workOff(lane: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) {
      await go(options, queue.splice(0, options.max));
      if (options.restMs) await delay(options.restMs);
    }
    lanes.delete(lane);
  }
}

/** Never rejects: each caller learns of its own. */
async function go<Item, Result>(
  options: TogetherOptions<Item, Result>,
  callers: Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await options.work(callers.map(({ item }) => item));
    for (const [index, { resolve }] of callers.entries()) resolve(results[index] as Result);
  } catch (error) {
    if (callers.length > 1 && options.isRepeatable?.(error)) {
      for (const caller of callers) await go(options, [caller]);
    } else {
      for (const { reject } of callers) reject(error);
    }
  }
}

/** One of so many lanes, by the random end of an id: the same for the same id. */
export function laneById(id: string, lanes: number): string {
  return String(id.charCodeAt(id.length - 1) % lanes);
}

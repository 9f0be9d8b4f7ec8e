/** Where a task stands among those that wait. */
export interface TaskOptions {
  /** Whose task it is: any key, by which the places are shared out. Tasks without one are of one lane together. */
  lane?: string;
  /** Lets go of a task that still waits. */
  signal?: AbortSignal;
}

/**
 * Runs a task when its turn comes and gives its result.
 * @throws the signal's own reason when it comes before the turn does
 */
export type ParallelRun = <T>(task: () => Promise<T>, options?: TaskOptions) => Promise<T>;

/** Those that wait, in their order, by lane; first the lane that has had no place for longest. */
type Waiting = Map<string, Set<() => void>>;

/**
 * Lets at most `limit` tasks run at once; the others wait, in order within their lane. A place that gets free goes to the
 * lane that holds the fewest, of several to the one that has had none for longest. So the first task of one lane never
 * stands behind all of another's, and no lane comes to more than half of the places, rounded up, while others wait.
 */
export function limitParallel(limit: number): ParallelRun {
  let running = 0;
  const held = new Map<string, number>();
  const waiting: Waiting = new Map();

  const take = (lane: string) => held.set(lane, (held.get(lane) ?? 0) + 1);

  const giveBack = (lane: string) => {
    const left = (held.get(lane) ?? 0) - 1;
    if (left > 0) held.set(lane, left);
    else held.delete(lane);
    const others = waiting.get(lane);
    if (others && waiting.delete(lane)) waiting.set(lane, others);
  };

  return async (task, { lane = "", signal } = {}) => {
    signal?.throwIfAborted();
    if (running < limit) {
      running += 1;
      take(lane);
    } else await waitForTurn(waiting, lane, signal);
    try {
      return await task();
    } finally {
      giveBack(lane);
      // The place is handed on rather than freed, so that nobody who comes now can take it first.
      const next = findNext(waiting, held);
      if (next) {
        take(next.lane);
        next.begin();
      } else running -= 1;
    }
  };
}

function findNext(waiting: Waiting, held: ReadonlyMap<string, number>) {
  let next: { lane: string; begin: () => void } | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [lane, [begin]] of waiting) {
    const count = held.get(lane) ?? 0;
    if (begin === undefined || count >= fewest) continue;
    next = { lane, begin };
    fewest = count;
  }
  return next;
}

/** @throws the signal's reason when it comes before the turn does */
function waitForTurn(waiting: Waiting, lane: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const inLane = waiting.get(lane) ?? new Set();
    waiting.set(lane, inLane);
    const leave = () => {
      inLane.delete(begin);
      if (inLane.size === 0) waiting.delete(lane);
      signal?.removeEventListener("abort", giveUp);
    };
    const begin = () => {
      leave();
      resolve();
    };
    const giveUp = () => {
      leave();
      reject(signal?.reason);
    };
    inLane.add(begin);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}

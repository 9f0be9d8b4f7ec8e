/** Runs a task when its turn comes and gives its result; the signal lets go of one that still waits. */
export type ParallelRun = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Lets at most `limit` tasks run at once; the others wait in order. */
export function limitParallel(limit: number): ParallelRun {
  let running = 0;
  const waiting = new Set<() => void>();
  return async (task, signal) => {
    signal?.throwIfAborted();
    if (running >= limit) await waitForTurn(waiting, signal);
    else running += 1;
    try {
      return await task();
    } finally {
      // The place is handed on rather than freed, so that nobody who comes now can take it first.
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  };
}

/** @throws the signal's reason when it comes before the turn does */
function waitForTurn(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const leave = () => {
      waiting.delete(begin);
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
    waiting.add(begin);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}

/**
 * Lets at most `limit` tasks run at once; the others wait in order.
 * @returns a function that runs a task when its turn comes and gives its result
 */
export function limitParallel(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // The place is handed on rather than freed, so that nobody who comes now can take it first.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

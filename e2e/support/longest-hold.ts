/** How long a piece of work keeps everybody else waiting at a time, at most, in milliseconds: as the clock on the wall has it. */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    timer = setImmediate(look);
  };
  let timer = setImmediate(look);
  try {
    await work();
  } finally {
    clearImmediate(timer);
  }
  return Math.max(longest, performance.now() - last);
}

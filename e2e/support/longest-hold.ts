/**
 * How long a piece of work keeps everybody else waiting at a time, at most, in milliseconds: of this process's own work, so that
 * a busy machine makes it no longer.
 */
export async function longestHoldMs(work: () => unknown): Promise<number> {
  let longest = 0;
  let last = workedMs();
  const look = () => {
    const now = workedMs();
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
  return Math.max(longest, workedMs() - last);
}

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** So much fresh memory is made to see how fast this machine is. */
const FRESH_BYTES = 32 * 1024 * 1024;
/** What that takes on the machine for which the bounds of the tests are written. */
const USUAL_FRESH_MS = 20;

/**
 * How long a piece of work keeps everybody else waiting at a time, at most, in milliseconds of a usual machine: of this
 * process's own work, so that a busy machine makes it no longer, nor does one on which memory is slow to come.
 */
export async function longestHoldMs(work: () => unknown): Promise<number> {
  const slowness = measureSlowness();
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
  return Math.max(longest, workedMs() - last) / slowness;
}

/** How long this process works on something in all, in milliseconds: what else the machine does counts for nothing. */
export async function workMs(work: () => unknown): Promise<number> {
  const before = workedMs();
  await work();
  return workedMs() - before;
}

/** How many times as long as a usual machine this one takes for fresh memory at present; 1 for a faster one. */
function measureSlowness(): number {
  const before = workedMs();
  Buffer.alloc(FRESH_BYTES, "x").toString("latin1");
  return Math.max(1, (workedMs() - before) / USUAL_FRESH_MS);
}

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

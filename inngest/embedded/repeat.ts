export interface Repeated {
  /** Runs it now instead of at its time. */
  now(): void;
  /** Waits for a run under way; there is none after it. */
  stop(): Promise<void>;
}

const AFTER_ERROR_MS = 1_000;

/** Runs `work` now and then every `everyMs`, or sooner when it returns a shorter time in milliseconds; never twice at once. */
export function repeat(
  everyMs: number,
  work: () => Promise<number | undefined>,
  onError: (error: unknown) => void,
): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isStopped = false;

  async function run(): Promise<void> {
    do {
      isAskedAgain = false;
      let waitMs = everyMs;
      try {
        waitMs = Math.min(everyMs, Math.max(1, (await work()) ?? everyMs));
      } catch (error) {
        onError(error);
        waitMs = Math.min(everyMs, AFTER_ERROR_MS);
      }
      clearTimeout(timer);
      if (!isStopped) timer = setTimeout(now, waitMs);
    } while (isAskedAgain && !isStopped);
    running = undefined;
  }

  function now(): void {
    isAskedAgain = true;
    running ??= run();
  }

  now();
  return {
    now,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Runs `work` at most once per `everyMs`, whatever becomes of the machine's clock; calls in between are dropped. */
export function throttle(work: () => void, everyMs: number): () => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - lastAt < everyMs) return;
    lastAt = performance.now();
    work();
  };
}

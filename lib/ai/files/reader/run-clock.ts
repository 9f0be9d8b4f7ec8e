/** Time that is running out. */
export interface Clock {
  /** It stands still until `goOn`. */
  pause(): void;
  goOn(): void;
}

/** Calls `onOver` after so much time in which it was not made to stand still. */
export function runClock(ms: number, onOver: () => void): Clock {
  let leftMs = ms;
  let startedAtMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const pause = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs -= performance.now() - startedAtMs;
  };
  const goOn = () => {
    startedAtMs = performance.now();
    timer ??= setTimeout(onOver, Math.max(0, leftMs));
  };
  goOn();
  return { pause, goOn };
}

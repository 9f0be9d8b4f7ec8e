export interface StreamWatch {
  /** Fires when any of the limits is reached, or with the outer signal. */
  signal: AbortSignal;
  /** To be called whenever bytes arrive. */
  touch(): void;
  /** Why the signal fired; undefined while it has not. */
  cause(): "idle" | "total" | "outside" | undefined;
  /** Which limit was reached, in words for the log; undefined when none was. */
  late(): Error | undefined;
  /** Ends the watch: no timer and no listener stays behind. */
  dispose(): void;
}

/**
 * Guards one call to a server that may fall silent or never end.
 * @param limits `idleMs` between two signs of life, `totalMs` for the whole call, in milliseconds
 */
export function watchStream(limits: { idleMs: number; totalMs: number }, outer?: AbortSignal): StreamWatch {
  const controller = new AbortController();
  let cause: ReturnType<StreamWatch["cause"]>;
  const stop = (why: NonNullable<typeof cause>) => {
    cause ??= why;
    controller.abort();
  };
  const stopFromOutside = () => stop("outside");
  const idleTimer = setTimeout(stop, limits.idleMs, "idle");
  const totalTimer = setTimeout(stop, limits.totalMs, "total");
  outer?.addEventListener("abort", stopFromOutside, { once: true });
  if (outer?.aborted) stopFromOutside();
  return {
    signal: controller.signal,
    touch: () => void idleTimer.refresh(),
    cause: () => cause,
    late() {
      if (cause === "idle") return new Error(`nothing came for ${limits.idleMs / 1_000} s`);
      return cause === "total" ? new Error(`not done after ${limits.totalMs / 1_000} s`) : undefined;
    },
    dispose() {
      clearTimeout(idleTimer);
      clearTimeout(totalTimer);
      outer?.removeEventListener("abort", stopFromOutside);
    },
  };
}

/** Stops what was started, last first, once: on a signal, when the launcher is gone, or when told. */
export interface Shutdown {
  /** Adds something to stop. */
  add(stop: () => void | Promise<void>): void;
  isStopping(): boolean;
  /** Stops everything and ends the process with that code. */
  stop(code: number): Promise<never>;
}

/** npm and the terminal both send Ctrl-C: what comes this soon after the first is the same one. */
const SAME_SIGNAL_MS = 2_000;

/**
 * Takes over the process's signals. A second Ctrl-C, later, ends it at once; the guard then stops what is left.
 * @param exitCode after a signal: 0 where that is the way to stop, another where it cuts work off
 */
export function shutdownOnSignals(exitCode: number): Shutdown {
  const stops: (() => void | Promise<void>)[] = [];
  let stoppingSince: number | undefined;

  async function stop(code: number): Promise<never> {
    if (stoppingSince !== undefined) return new Promise(() => {});
    stoppingSince = Date.now();
    for (let next = stops.pop(); next; next = stops.pop()) {
      try {
        await next();
      } catch (error) {
        process.stderr.write(`While stopping: ${error instanceof Error ? error.message : error}\n`);
      }
    }
    return process.exit(code);
  }

  function onSignal(): void {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(exitCode);
      return;
    }
    process.stderr.write(process.stderr.isTTY ? "\nStopping …\n" : "Stopping …\n");
    void stop(exitCode);
  }

  for (const event of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(event, onSignal);
  return { add: (next) => stops.push(next), isStopping: () => stoppingSince !== undefined, stop };
}

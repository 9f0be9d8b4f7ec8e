import { setTimeout as delay } from "node:timers/promises";
import { type PostgresOptions, type RunningPostgres, startPostgres } from "@/scripts/support/embedded-postgres";

/** A Postgres that is started again when it ends by itself. */
export type KeptPostgres = Pick<RunningPostgres, "url" | "note" | "stop">;

const RETRY_DELAYS_MS = [500, 1_000, 2_000, 5_000, 10_000];

/**
 * Starts Postgres and keeps it running, on the same port: connections of the service come back by themselves. One that ended for
 * want of space cannot come up before there is some, so it is tried as often as it takes.
 * @param onLost called when it cannot be brought back
 */
export async function keepPostgres(options: PostgresOptions, onLost: (error: Error) => void): Promise<KeptPostgres> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = await startPostgres(options);
  const { url, note } = current;
  let bringingBack = Promise.resolve();

  function watch(): void {
    void current.exited.then(() => {
      if (!signal.aborted) bringingBack = bringBack();
    });
  }

  async function bringBack(): Promise<void> {
    process.stderr.write("Postgres ended; starting it again.\n");
    const next = await startAgain(options, signal);
    if (!next) return;
    current = next;
    if (current.url !== url) {
      onLost(new Error("Postgres' port was taken by another program. Start the service again."));
      return;
    }
    process.stderr.write("Postgres runs again.\n");
    watch();
  }

  watch();
  return {
    url,
    note,
    async stop() {
      stopping.abort();
      await bringingBack;
      await current.stop();
    },
  };
}

/** Says once why it does not start. @returns undefined when it was told to stop meanwhile */
async function startAgain(options: PostgresOptions, signal: AbortSignal): Promise<RunningPostgres | undefined> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      return await startPostgres(options);
    } catch (error) {
      if (tries === 0) process.stderr.write(`${(error as Error).message}\nIt is tried again until it starts.\n`);
      await delay(RETRY_DELAYS_MS[tries] ?? RETRY_DELAYS_MS.at(-1), undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

import { type PostgresOptions, type RunningPostgres, startPostgres } from "@/scripts/support/embedded-postgres";

/** A Postgres that is started again when it ends by itself. */
export type KeptPostgres = Pick<RunningPostgres, "url" | "note" | "stop">;

/**
 * Starts Postgres and keeps it running, on the same port: connections of the service come back by themselves.
 * @param onLost called when it cannot be brought back
 */
export async function keepPostgres(options: PostgresOptions, onLost: (error: Error) => void): Promise<KeptPostgres> {
  let isStopping = false;
  let current = await startPostgres(options);
  const { url, note } = current;

  function watch(): void {
    void current.exited.then(async () => {
      if (isStopping) return;
      process.stderr.write("Postgres ended; starting it again.\n");
      try {
        current = await startPostgres(options);
        if (current.url !== url)
          throw new Error("Postgres' port was taken by another program. Start the service again.");
        process.stderr.write("Postgres runs again.\n");
        watch();
      } catch (error) {
        onLost(error as Error);
      }
    });
  }
  watch();
  return {
    url,
    note,
    stop() {
      isStopping = true;
      return current.stop();
    },
  };
}

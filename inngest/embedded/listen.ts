import pg from "pg";
import { reconnectDelayMs } from "@/inngest/embedded/backoff";
import { KEPT_CONNECTION, pause } from "@/inngest/embedded/database";

const LISTEN_TIMEOUT_MS = 3_000;

/** A connection that hears notifications and is made anew whenever it breaks. */
export interface Listener {
  stop(): Promise<void>;
}

/**
 * Listens on channels.
 * @param onConnect called at each (re)connection: notifications sent in between were missed
 */
export function listen(
  databaseUrl: string,
  channels: string[],
  onNotification: (channel: string, payload: string) => void,
  onConnect: () => void,
): Listener {
  const stopping = new AbortController();
  let current: pg.Client | undefined;

  const done = (async () => {
    for (let tries = 0; !stopping.signal.aborted; ) {
      const client = new pg.Client({
        connectionString: databaseUrl,
        application_name: "inngest-runner-listen",
        query_timeout: LISTEN_TIMEOUT_MS,
        ...KEPT_CONNECTION,
      });
      current = client;
      const ended = new Promise<void>((resolve) => client.once("end", resolve));
      client.on("error", () => {});
      client.on("notification", ({ channel, payload }) => onNotification(channel, payload ?? ""));
      try {
        await client.connect();
        for (const channel of channels) await client.query(`LISTEN ${channel}`);
        tries = 0;
        onConnect();
        await ended;
      } catch {
        await client.end().catch(() => {});
      }
      await pause(reconnectDelayMs(tries++), stopping.signal);
    }
  })();

  return {
    stop: async () => {
      stopping.abort();
      await current?.end().catch(() => {});
      await done;
    },
  };
}

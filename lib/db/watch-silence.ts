import type { Socket } from "node:net";
import { Client, type ClientBase, DatabaseError, type PoolClient, type QueryConfig } from "pg";

/** A statement without a sign from the database for one to two of these is asked after. */
const LOOK_MS = 10_000;
const ASK_TIMEOUT_MS = 10_000;
/** As Postgres knows it, also where a pooler in between tells a number of its own. */
const OWN_NUMBER = { text: "SELECT pg_backend_pid() AS pid", query_timeout: ASK_TIMEOUT_MS } as QueryConfig;

/**
 * Ends a connection whose statement the database does not work on: the other side went without a word, as in a failover, while it
 * was sent or just before. The system goes on sending for a quarter of an hour, and asks only connections that are idle.
 * A statement that takes long, or waits for a lock, is left alone, whatever it takes.
 */
export async function watchForSilence(client: ClientBase, databaseUrl: string): Promise<void> {
  const { connection } = client as PoolClient;
  const stream = connection.stream as Socket;
  const { rows } = await client.query<{ pid: number }>(OWN_NUMBER);
  const pid = rows[0]?.pid ?? 0;
  let writtenAtAnswer = stream.bytesWritten;
  // Before the client itself, which then sends what comes next.
  connection.prependListener("readyForQuery", () => {
    writtenAtAnswer = stream.bytesWritten;
  });
  const moved = () => `${stream.bytesWritten} ${stream.bytesRead}`;
  let before = "";
  const look = async () => {
    const isSilent = moved() === before && stream.bytesWritten > writtenAtAnswer;
    before = moved();
    if (!isSilent || (await isWorkedOn(pid, databaseUrl)) || moved() !== before) return;
    stream.destroy(Object.assign(new Error("The database knows nothing of the statement."), { code: "ETIMEDOUT" }));
  };
  const timer = setInterval(look, LOOK_MS).unref();
  stream.once("close", () => clearInterval(timer));
}

/** By a connection of its own: those that are there may have gone the same way. */
async function isWorkedOn(pid: number, databaseUrl: string): Promise<boolean> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: "service-watch",
    connectionTimeoutMillis: ASK_TIMEOUT_MS,
    query_timeout: ASK_TIMEOUT_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const text = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state NOT LIKE 'idle%'";
    return (await client.query(text, [pid])).rowCount === 1;
  } catch (error) {
    // It is there, and has no room for a question.
    return error instanceof DatabaseError;
  } finally {
    void client.end().catch(() => {});
  }
}

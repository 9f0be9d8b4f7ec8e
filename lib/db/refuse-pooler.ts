import { Client } from "pg";
import { KEPT_CONNECTION } from "@/lib/db/connection";

/** What stands between the service and Postgres does not keep what a connection has to keep; the message says what to do. */
export class PoolerError extends Error {}

/** As the pools give theirs (pool.ts); any would do. */
const OPTIONS = "-c idle_in_transaction_session_timeout=10000";
/** Of a pooler whose connections are all taken. */
const QUERY_TIMEOUT_MS = 10_000;
const REFUSED_OPTIONS = /unsupported startup parameter/i;
const DIRECT = "Name Postgres itself, not its pooler";

/**
 * A pooler that gives connections by transaction makes named statements fail now and then, keeps the lock of a migration for good
 * and brings no notification, and all of that looks like a service that runs. Two that are connected at once have the same
 * connection of the database nowhere else.
 * @throws PoolerError; and what connecting throws
 */
export async function refusePooler(databaseUrl: string): Promise<void> {
  const clients = [1, 2].map(
    () =>
      new Client({
        connectionString: databaseUrl,
        options: OPTIONS,
        query_timeout: QUERY_TIMEOUT_MS,
        ...KEPT_CONNECTION,
      }),
  ) as [Client, Client];
  // One that breaks fails its query.
  for (const client of clients) client.on("error", () => {});
  try {
    for (const client of clients) await connect(client);
    await refuseShared(...clients);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

async function connect(client: Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    if (!REFUSED_OPTIONS.test((error as Error).message)) throw error;
    throw new PoolerError(`a pooler in between refuses the settings of a connection. ${DIRECT}.`, { cause: error });
  }
}

async function refuseShared(one: Client, other: Client): Promise<void> {
  const own = await backendOf(one);
  await other.query("BEGIN");
  // Of a pooler with a single connection, the first one would wait for the end of the other's transaction.
  const isShared = (await backendOf(other)) === own || (await backendOf(one)) !== own;
  await other.query("ROLLBACK");
  if (isShared) throw new PoolerError(`a pooler in between gives connections by transaction. ${DIRECT}.`);
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return Number(rows[0]?.pid);
}

import { Pool, type PoolClient, type PoolConfig, types } from "pg";
import { KEPT_CONNECTION } from "@/lib/db/connection";
import { isDatabaseAway } from "@/lib/db/failures";
import { againWhenTurnedBack } from "@/lib/db/turned-back";
import { watchForSilence } from "@/lib/db/watch-silence";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";

/**
 * The shared connection pools. Hot paths run named statements through them; everything else goes through
 * Prisma, on the same pool.
 */

// bigint and numeric sums stay below 2^53 here: plain numbers are easier to be right with than strings.
types.setTypeParser(types.builtins.INT8, Number);
types.setTypeParser(types.builtins.NUMERIC, Number);

/** A connection or the pool: whatever a single statement can run on. */
export type Queryable = Pick<Pool, "query">;

/** A connection inside a transaction. */
export type Transaction = Pick<PoolClient, "query"> & { readonly isTransaction: true };

/**
 * Far beyond any statement of the hot paths. Calls that go together wait for each other: on one connection that died without a
 * word, all calls of a process would wait for a quarter of an hour. The server ends the statement that nobody waits for any more.
 */
const HOT_TIMEOUT_MS = 30_000;
const HOT_TIMEOUT = `-c statement_timeout=${HOT_TIMEOUT_MS}`;
/**
 * A process that was stopped, or whose machine went, in mid-transaction would keep its locks from all others for as long as its
 * connection looks alive: the server ends what says nothing for so long. Well below what statements of the hot paths may take: calls
 * and answers of the one account fill their connections in other processes, and all accounts there wait with it. Nothing that
 * may take a while is done in a transaction; an export asks for longer.
 */
const FROZEN = "-c idle_in_transaction_session_timeout=10000";
/**
 * Less than that: of a process that stands still, each statement that waits for a lock gets it in its turn, and would keep it for as
 * long once more. Those that waited as it was stopped have given up before the first is ended.
 */
const GIVE_UP_LOCK_MS = 8_000;

/**
 * Prisma leaves the zone of a time out and takes it for UTC, whatever the server's own settings say: those are mostly of the zone
 * that its machine was in. Days and months are UTC's as well, and none of them has 23 hours.
 */
const IN_UTC = "-c timezone=UTC";

function makePool({ options: settings, ...options }: PoolConfig & { options: string }): Pool {
  const { DATABASE_URL } = env();
  if (!DATABASE_URL) throw new Error("DATABASE_URL is not set.");
  const pool = new Pool({
    connectionString: DATABASE_URL,
    ...KEPT_CONNECTION,
    options: `${IN_UTC} ${settings}`,
    idleTimeoutMillis: 30_000,
    ...options,
  });
  // A connection that breaks is dropped by the pool or fails its next query; without listeners it would end the process,
  // also one that is checked out and between two queries.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Durable: what is committed here survives a crash. Statements may take as long as they do. */
export function db(): Pool {
  return processSingleton("db", () =>
    makePool({
      max: env().DATABASE_POOL_SIZE,
      application_name: "service",
      options: FROZEN,
      onConnect: (client) => watchForSilence(client, env().DATABASE_URL ?? ""),
    }),
  );
}

/**
 * Plans are made once and kept, often while tables are still empty: what is right then (read all of it) ruins a full one,
 * so nothing but look-ups by index is left to the planner. Statements that take a list would be planned anew each time.
 */
export const KEPT_PLANS =
  "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off";

/**
 * For the named statements of the hot paths alone. Durable as `db()`, with plans that are kept. In a transaction of it, what
 * does not wait for an answer is sent without waiting for it.
 */
export function hotDb(): Pool {
  return processSingleton("hot-db", () =>
    makePool({
      max: 8,
      application_name: "service-hot",
      options: `${HOT_TIMEOUT} ${FROZEN} ${KEPT_PLANS}`,
      query_timeout: HOT_TIMEOUT_MS,
      pipeline: true,
    }),
  );
}

/** For logs and stream chunks alone: commits do not wait for the disk (`synchronous_commit=off`); plans are kept. */
export function logDb(): Pool {
  return processSingleton("log-db", () => {
    const options = `-c synchronous_commit=off ${HOT_TIMEOUT} ${FROZEN} ${KEPT_PLANS}`;
    const pool = makePool({ max: 6, application_name: "service-log", options, query_timeout: HOT_TIMEOUT_MS });
    const countBreak = () => {
      logBreaks().count += 1;
    };
    pool.on("connect", (client) => client.on("error", countBreak));
    // One that gave no answer in time is closed from here: it breaks without an error of its own.
    pool.on("release", (error) => {
      if (isDatabaseAway(error)) countBreak();
    });
    return pool;
  });
}

const logBreaks = () => processSingleton("log-breaks", () => ({ count: 0 }));

/** Grows when connections of `logDb()` break: the database may have crashed, and lost what was committed there last. */
export function brokenLogConnections(): number {
  return logBreaks().count;
}

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws.
 * Run again when the database turned it back in favour of another one, so `work` does nothing beside it that may not be done twice.
 * A connection that broke is not given back to the pool. Where the pool sends without waiting, the first statement goes along
 * with the beginning, and `work` may have the commit sent right behind its last one: where one fails, the database refuses what
 * comes after it, or the connection is gone.
 */
export function inTransaction<T>(work: Work<T>, pool = db()): Promise<T> {
  return againWhenTurnedBack(() => transactOnce(work, pool));
}

/**
 * As `inTransaction`, for what ends with the row of an account, which all of its calls and answers wait for. Nobody waits for a row
 * as long as the database leaves one to a process that stands still: the call is refused with 503, and can be made again.
 */
export function inTurnForAccount<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return againWhenTurnedBack(() => transactOnce(work, db(), `BEGIN; SET LOCAL lock_timeout = ${GIVE_UP_LOCK_MS}`));
}

type Work<T> = (tx: Transaction, sendCommit: () => void) => Promise<T>;

async function transactOnce<T>(work: Work<T>, pool: Pool, begin = "BEGIN"): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let committed: Promise<unknown> | undefined;
  const commit = () => {
    committed ??= client.query("COMMIT");
    return committed;
  };
  // Why the work failed comes before what it led to.
  const sendCommit = () => void commit().catch(() => {});
  const begun = (tx: Transaction) => work(tx, client.pipeline ? sendCommit : () => {});
  try {
    const result = await (client.pipeline ? beginWith(client, begun) : beginFirst(client, begun, begin));
    await commit();
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

async function beginFirst<T>(client: PoolClient, work: (tx: Transaction) => Promise<T>, begin: string): Promise<T> {
  await client.query(begin);
  return work(client as unknown as Transaction);
}

async function beginWith<T>(client: PoolClient, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { stream } = client.connection;
  stream.cork();
  const begun = client.query("BEGIN");
  const working = work(client as unknown as Transaction);
  stream.uncork();
  // The work is over before the connection is given back; the cause of its failure comes before it.
  working.catch(() => {});
  await begun.catch(async (error: unknown) => {
    await working.catch(() => {});
    throw error;
  });
  return working;
}

/** Ends all pools; for a graceful stop and for tests. */
export async function closePools(): Promise<void> {
  await Promise.all([db().end(), hotDb().end(), logDb().end()]);
}

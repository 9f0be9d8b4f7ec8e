import pg from "pg";
import { reconnectDelayMs } from "@/inngest/embedded/backoff";

/**
 * Begins a transaction whose commit waits for the disk. Others do not: what a crash of the database takes from the queue is
 * done again. A lease, the end of a call or of a run are then forgotten, the call is made again, and functions are made for
 * that. Events that the relay hands over leave its outbox in the statement that stores them here: they are in one place or in
 * the other.
 */
export const BEGIN_DURABLY = "BEGIN; SET LOCAL synchronous_commit = on";

const MAX_CONNECTIONS = 8;
/** One whose other side went without a word is found dead within half a minute; the system by itself asks after two hours. */
export const KEPT_CONNECTION = {
  connectionTimeoutMillis: 3_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;
/** Far beyond any statement of ours: a connection that is silent for so long is dead. */
const QUERY_TIMEOUT_MS = 30_000;
/**
 * A process that was stopped, or whose machine went, in mid-transaction would keep its locks for as long as its connection looks
 * alive, and with the lock of claims nobody takes any work: the server ends what it began.
 */
const FROZEN_AFTER_MS = 10_000;
const DEADLOCK_TRIES = 5;

const settingsOf = (frozenAfterMs: number) =>
  [
    "enable_seqscan=off",
    "enable_bitmapscan=off",
    "enable_hashjoin=off",
    "enable_mergejoin=off",
    "plan_cache_mode=force_generic_plan",
    "synchronous_commit=off",
    "jit=off",
    // Who stops waiting for a statement ends it: it would go on for nobody, and keep its locks.
    `statement_timeout=${QUERY_TIMEOUT_MS}`,
    `idle_in_transaction_session_timeout=${frozenAfterMs}`,
  ]
    .map((setting) => `-c ${setting}`)
    .join(" ");

/**
 * Joins `runner_items item` by its key with rows that are given. A plain comparison of keys could also be joined the other way
 * round: to a plan for a table of one row, reading all of it looks as good as its key, and such a plan, kept, read 14,000 rows
 * for each of those given. Written so, the key is the only way that there is.
 */
export function isItemOf(given: string): string {
  return `${isKey("item.run_id", `${given}.run_id`)} AND ${isKey("item.step_id", `${given}.step_id`)}`;
}

/** A key that is looked up by its index and no other way; see `isItemOf`. */
export function isKey(column: string, value: string): string {
  return `${column} = ANY (ARRAY[${value}])`;
}

export type Sql = Pick<pg.ClientBase, "query">;

/**
 * Connections of the runner's own, so that heartbeats do not queue behind the app's queries. The queue is often
 * empty when plans are made and kept: what is right for an empty table (read all of it) ruins a full one, so nothing
 * but look-ups by index is left to the planner. Nor reading an index into a bitmap: that goes over entries of rows that are gone
 * each time, and rows of the queue go by the hundred a second; other reads of an index mark them.
 */
export function openPool(databaseUrl: string, frozenAfterMs = FROZEN_AFTER_MS): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: MAX_CONNECTIONS,
    application_name: "inngest-runner",
    query_timeout: QUERY_TIMEOUT_MS,
    ...KEPT_CONNECTION,
    // What does not wait for an answer is sent without waiting for it: see inTransaction.
    pipeline: true,
    options: settingsOf(frozenAfterMs),
  });
  // A connection that breaks between two queries, idle or in a transaction, would otherwise end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * Runs `work` in a transaction. `begin` may set what holds for it; the first statement is sent along with it: where one fails,
 * the database refuses the next. After its last statement was asked for, `work` may have the commit sent behind it.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (sql: Sql, sendCommit: () => void) => Promise<T>,
  begin = "BEGIN",
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let committed: Promise<unknown> | undefined;
  const sendCommit = () => {
    committed ??= client.query("COMMIT");
    committed.catch(() => {});
  };
  try {
    const { stream } = client.connection;
    stream.cork();
    const begun = client.query(begin);
    const working = work(client, sendCommit);
    stream.uncork();
    working.catch(() => {});
    // The cause comes before what it led to.
    await begun.catch(async (error) => {
      await working.catch(() => {});
      throw error;
    });
    const result = await working;
    sendCommit();
    await committed;
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

/** Errors in what was sent, by the class of their SQLSTATE: data, constraints, names, sizes. */
const PERMANENT_SQLSTATE = /^(0A|21|22|23|42|54)[0-9A-Z]{3}$/;

/** Whether the same statement may succeed later: the database is away, overloaded, or resolved a deadlock. */
export function isTransient(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return !(typeof code === "string" && PERMANENT_SQLSTATE.test(code));
}

/** Repeats what a deadlock or a serialization failure undid. */
export async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: unknown } | null)?.code;
      if (tries >= DEADLOCK_TRIES || (code !== "40P01" && code !== "40001")) throw error;
    }
  }
}

/**
 * Repeats `work` while the database is away, for results that must not be lost.
 * @throws what is not transient, and the last error after `patienceMs` or when `isOver`.
 */
export async function persist<T>(work: () => Promise<T>, patienceMs: number, isOver: () => boolean): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 0; ; tries++) {
    try {
      return await retryDeadlocks(work);
    } catch (error) {
      if (!isTransient(error) || performance.now() >= giveUpAt || isOver()) throw error;
      await pause(reconnectDelayMs(tries));
    }
  }
}

/** Waits; ends early when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}

import type pg from "pg";
import { nextTick, parseCron } from "@/inngest/embedded/cron";
import { BEGIN_DURABLY, inTransaction, retryDeadlocks, type Sql } from "@/inngest/embedded/database";
import { isTriggeredBy, type RunnerFunction } from "@/inngest/embedded/read-config";

/** Notified when a sync changed the functions; every runner loads them again. */
export const FUNCTIONS_CHANNEL = "runner_functions";

/** A function that no server has registered for so long is in no version that still runs: four syncs. */
const GONE_AFTER_SECONDS = 120;
/** Sooner than that, what another version says of a function gives way to what is said here. */
const STALE_AFTER_SECONDS = 80;
/** Registrations that change nothing are noted at most this often by all servers together, and nobody is told. */
const NOTED_EVERY_SECONDS = 20;

/**
 * The functions all apps registered, kept in memory because every event and every claim asks for them. Servers of two versions
 * may run side by side: a function is active as long as any of them has it, and is called where it is.
 */
export class FunctionRegistry {
  /** Inactive ones too: their runs go on, or are ended. */
  #functions = new Map<string, RunnerFunction>();
  #active = new Map<string, RunnerFunction>();
  /** Of events that start something. */
  #eventNames = new Set<string>();
  /** What was registered here last, by id. */
  #own: Map<string, OwnFunction> | undefined;
  #limits = new Map<string, number>();
  #storedAt = 0;
  #watchedSince = 0;

  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: () => number = Date.now,
  ) {}

  /** False before the first sync ever. */
  get isRegistered(): boolean {
    return this.#own !== undefined || this.#functions.size > 0;
  }

  /** The functions of this server's app; undefined where it registers with another runner: any may be its. */
  get ownIds(): string[] | undefined {
    return this.#own && [...this.#own.keys()];
  }

  /** Whether the function can be called here. */
  isOwn(id: string): boolean {
    return this.#own === undefined || this.#own.has(id);
  }

  /** Whether no version that runs has the function: of its runs nothing is left but to end them, here or elsewhere. */
  isGone(id: string): boolean {
    return !this.isOwn(id) && !this.#active.has(id);
  }

  /** As `isGone`, asked anew: what is known here may be old, and a newer version may have the function by now. */
  async isGoneNow(id: string): Promise<boolean> {
    await this.load();
    return this.isGone(id);
  }

  /**
   * Whether events of these names start what they should: where nothing is known of one, it is asked anew, as another server may
   * have its function by now, and until this server has registered its own it may be one of these.
   */
  async isReadyFor(names: string[]): Promise<boolean> {
    const isKnown = () => names.every((name) => this.#eventNames.has(name));
    if (isKnown()) return true;
    await this.load();
    return this.#own !== undefined || isKnown();
  }

  get(id: string): RunnerFunction | undefined {
    return this.#functions.get(id);
  }

  /** The functions that an event starts. */
  triggeredBy(event: { name: string; data: unknown }): RunnerFunction[] {
    return [...this.#active.values()].filter((fn) => isTriggeredBy(fn, event));
  }

  /** The limit of a concurrency key (a line of a lane). */
  limitOf(key: string): number | undefined {
    return this.#limits.get(key.slice(0, key.lastIndexOf("|")));
  }

  async load(): Promise<void> {
    const { rows } = await this.pool.query<{ config: string; is_active: boolean }>(
      "SELECT config, is_active FROM runner_functions",
    );
    const loaded = rows.map((row) => ({ fn: JSON.parse(row.config) as RunnerFunction, isActive: row.is_active }));
    this.#functions = new Map(loaded.map(({ fn }) => [fn.id, fn]));
    this.#active = new Map(loaded.filter(({ isActive }) => isActive).map(({ fn }) => [fn.id, fn]));
    this.#eventNames = new Set([...this.#active.values()].flatMap((fn) => fn.events.map(({ name }) => name)));
    this.#limits = new Map(
      loaded.flatMap(({ fn }) => fn.concurrency.map(({ key, limit }) => [`${fn.id}|${key}`, limit] as const)),
    );
  }

  /**
   * Notes that this server's app has `functions`; whether that changed anything for all. What this server says anew counts;
   * what it only repeats does not undo what a server that started later says.
   */
  async store(appId: string, functions: RunnerFunction[]): Promise<boolean> {
    const now = this.clock();
    const before = [...(this.#own?.values() ?? [])];
    const own = functions.map((fn) => ({ id: fn.id, appId, config: JSON.stringify(fn) }));
    own.sort((a, b) => (a.id < b.id ? -1 : 1));
    const ids = new Set(own.map(({ id }) => id));
    const change = {
      own,
      newIds: own.filter(({ id, config }) => this.#own?.get(id)?.config !== config).map(({ id }) => id),
      droppedIds: before.filter((fn) => fn.appId === appId && !ids.has(fn.id)).map(({ id }) => id),
      mayRetire: this.#hasWatched(now),
    };
    const isModified = await retryDeadlocks(() =>
      inTransaction(this.pool, (sql) => storeFunctions(sql, appId, change), BEGIN_DURABLY),
    );
    this.#storedAt = now;
    const others = before.filter((fn) => fn.appId !== appId);
    this.#own = new Map([...others, ...own].map((fn) => [fn.id, fn]));
    await this.load();
    return isModified;
  }

  /** Whether we could say it all the time in which others might have: after an outage they first get that time. */
  #hasWatched(now: number): boolean {
    const elapsed = now - this.#storedAt;
    if (this.#own === undefined || elapsed < 0 || elapsed > STALE_AFTER_SECONDS * 1000) this.#watchedSince = now;
    return now - this.#watchedSince > GONE_AFTER_SECONDS * 1000;
  }
}

interface OwnFunction {
  id: string;
  appId: string;
  config: string;
}

interface Registration {
  own: OwnFunction[];
  /** Said by this server for the first time. */
  newIds: string[];
  /** Said by this server before, and no more. */
  droppedIds: string[];
  /** Whether functions are retired that nobody has said for long. */
  mayRetire: boolean;
}

async function storeFunctions(sql: Sql, appId: string, registration: Registration): Promise<boolean> {
  const { own, newIds, droppedIds, mayRetire } = registration;
  const ids = own.map(({ id }) => id);
  const configs = own.map(({ config }) => config);
  const stored = await sql.query(
    `INSERT INTO runner_functions AS f (id, app_id, config, is_active, synced_at)
     SELECT id, $1, config, true, now() FROM unnest($2::text[], $3::text[]) AS new (id, config)
     ON CONFLICT (id) DO UPDATE SET app_id = $1, config = EXCLUDED.config, is_active = true, synced_at = now()
     WHERE (f.app_id, f.config, f.is_active) IS DISTINCT FROM ($1, EXCLUDED.config, true)
     AND (f.id = ANY ($4::text[]) OR NOT f.is_active OR ${isOlder("f.synced_at", STALE_AFTER_SECONDS)})`,
    [appId, ids, configs, newIds],
  );
  await sql.query(
    `UPDATE runner_functions f SET synced_at = now() FROM unnest($1::text[], $2::text[]) AS own (id, config)
     WHERE f.id = own.id AND f.config = own.config AND ${isOlder("f.synced_at", NOTED_EVERY_SECONDS)}`,
    [ids, configs],
  );
  const retired = await sql.query(
    `UPDATE runner_functions f SET is_active = false WHERE app_id = $1 AND is_active AND id <> ALL ($2::text[])
     AND (id = ANY ($3::text[]) OR $4 AND ${isOlder("f.synced_at", GONE_AFTER_SECONDS)})`,
    [appId, ids, droppedIds, mayRetire],
  );
  const isModified = Boolean(stored.rowCount || retired.rowCount);
  if (isModified) {
    await storeCrons(sql, appId);
    await sql.query(`NOTIFY ${FUNCTIONS_CHANNEL}`);
  }
  return isModified;
}

function isOlder(column: string, seconds: number): string {
  return `${column} < now() - interval '${seconds} seconds'`;
}

/** The crons of all active functions, whichever version has them. */
async function storeCrons(sql: Sql, appId: string): Promise<void> {
  const { rows } = await sql.query<{ config: string; now: Date }>(
    "SELECT config, now() AS now FROM runner_functions WHERE app_id = $1 AND is_active ORDER BY id",
    [appId],
  );
  const crons = rows.flatMap(({ config, now }) => {
    const fn = JSON.parse(config) as RunnerFunction;
    return fn.crons.map((expression) => ({ id: fn.id, expression, dueAt: nextTick(parseCron(expression), now) }));
  });
  const columns = [crons.map(({ id }) => id), crons.map(({ expression }) => expression)];
  await sql.query(
    `DELETE FROM runner_crons c USING runner_functions f WHERE f.id = c.function_id AND f.app_id = $1
     AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) AS kept (id, expression) WHERE kept.id = c.function_id AND kept.expression = c.expression)`,
    [appId, ...columns],
  );
  await sql.query(
    `INSERT INTO runner_crons (function_id, expression, due_at) SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[]) ON CONFLICT DO NOTHING`,
    [...columns, crons.map(({ dueAt }) => dueAt)],
  );
}

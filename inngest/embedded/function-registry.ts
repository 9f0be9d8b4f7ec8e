import type pg from "pg";
import { nextTick, parseCron } from "@/inngest/embedded/cron";
import { BEGIN_DURABLY, inTransaction, retryDeadlocks, type Sql } from "@/inngest/embedded/database";
import { isTriggeredBy, type RunnerFunction } from "@/inngest/embedded/read-config";

/** Notified when a sync changed the functions; every runner loads them again. */
export const FUNCTIONS_CHANNEL = "runner_functions";

/** The functions all apps registered, kept in memory because every event and every claim asks for them. */
export class FunctionRegistry {
  /** Inactive ones too: their runs go on. */
  #functions = new Map<string, RunnerFunction>();
  #active: RunnerFunction[] = [];
  #isStored = false;
  #limits = new Map<string, number>();

  constructor(private readonly pool: pg.Pool) {}

  /** False before the first sync ever: events that arrive then must not be accepted. */
  get isRegistered(): boolean {
    return this.#isStored || this.#functions.size > 0;
  }

  get(id: string): RunnerFunction | undefined {
    return this.#functions.get(id);
  }

  /** The functions that an event starts. */
  triggeredBy(event: { name: string; data: unknown }): RunnerFunction[] {
    return this.#active.filter((fn) => isTriggeredBy(fn, event));
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
    this.#active = loaded.filter(({ isActive }) => isActive).map(({ fn }) => fn);
    this.#limits = new Map(
      loaded.flatMap(({ fn }) => fn.concurrency.map(({ key, limit }) => [`${fn.id}|${key}`, limit] as const)),
    );
  }

  /** Makes `functions` the app's active ones; whether that changed anything. */
  async store(appId: string, functions: RunnerFunction[]): Promise<boolean> {
    const sorted = [...functions].sort((a, b) => (a.id < b.id ? -1 : 1));
    const isModified = await retryDeadlocks(() =>
      inTransaction(this.pool, (sql) => storeFunctions(sql, appId, sorted), BEGIN_DURABLY),
    );
    await this.load();
    this.#isStored = true;
    return isModified;
  }
}

async function storeFunctions(sql: Sql, appId: string, functions: RunnerFunction[]): Promise<boolean> {
  const ids = functions.map((fn) => fn.id);
  const stored = await sql.query(
    `INSERT INTO runner_functions AS f (id, app_id, config, is_active, synced_at)
     SELECT id, $1, config, true, now() FROM unnest($2::text[], $3::text[]) AS new (id, config)
     ON CONFLICT (id) DO UPDATE SET app_id = $1, config = EXCLUDED.config, is_active = true, synced_at = now()
     WHERE (f.app_id, f.config, f.is_active) IS DISTINCT FROM ($1, EXCLUDED.config, true)`,
    [appId, ids, functions.map((fn) => JSON.stringify(fn))],
  );
  const gone = await sql.query(
    "UPDATE runner_functions SET is_active = false, synced_at = now() WHERE app_id = $1 AND is_active AND id <> ALL ($2::text[])",
    [appId, ids],
  );
  const isModified = Boolean(stored.rowCount || gone.rowCount);
  if (isModified) {
    await storeCrons(sql, appId, functions);
    await sql.query(`NOTIFY ${FUNCTIONS_CHANNEL}`);
  }
  return isModified;
}

async function storeCrons(sql: Sql, appId: string, functions: RunnerFunction[]): Promise<void> {
  const crons = functions.flatMap((fn) =>
    fn.crons.map((expression) => ({ id: fn.id, expression, dueAt: nextTick(parseCron(expression), new Date()) })),
  );
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

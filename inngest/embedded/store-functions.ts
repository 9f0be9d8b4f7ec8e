import { nextTick, parseCron } from "@/inngest/embedded/cron";
import type { Sql } from "@/inngest/embedded/database";
import type { RunnerFunction } from "@/inngest/embedded/read-config";

/** Notified when a sync changed the functions; every runner loads them again. */
export const FUNCTIONS_CHANNEL = "runner_functions";

/** A function that no server has registered for so long is in no version that still runs: four syncs. */
export const GONE_AFTER_SECONDS = 120;
/** Sooner than that, what another version says of a function gives way to what is said here. */
export const STALE_AFTER_SECONDS = 80;
/** Registrations that change nothing are noted at most this often by all servers together, and nobody is told. */
const NOTED_EVERY_SECONDS = 20;

/** A function that a server registered, as it is kept. */
export interface OwnFunction {
  id: string;
  appId: string;
  config: string;
}

/** What a server says that its app has. */
interface Registration {
  own: OwnFunction[];
  /** Said by this server for the first time. */
  newIds: string[];
  /** Said by this server before, and no more. */
  droppedIds: string[];
  /** Whether functions are retired that nobody has said for long. */
  mayRetire: boolean;
}

/** Writes what a server registers, and retires what nobody has, with their crons; whether that changed anything for all. */
export async function storeFunctions(sql: Sql, appId: string, registration: Registration): Promise<boolean> {
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
    await storeCrons(sql, appId, new Set(ids));
    await sql.query(`NOTIFY ${FUNCTIONS_CHANNEL}`);
  }
  return isModified;
}

function isOlder(column: string, seconds: number): string {
  return `${column} < now() - interval '${seconds} seconds'`;
}

/** The crons of all active functions, whichever version has them. */
async function storeCrons(sql: Sql, appId: string, ownIds: ReadonlySet<string>): Promise<void> {
  const { rows } = await sql.query<{ config: string; now: Date }>(
    "SELECT config, now() AS now FROM runner_functions WHERE app_id = $1 AND is_active ORDER BY id",
    [appId],
  );
  const crons = rows.flatMap(({ config, now }) => {
    const fn = JSON.parse(config) as RunnerFunction;
    return fn.crons.map((expression) => ({
      id: fn.id,
      expression,
      dueAt: firstTick(expression, now, ownIds.has(fn.id)),
    }));
  });
  const columns = [crons.map(({ id }) => id), crons.map(({ expression }) => expression)];
  await sql.query(
    `DELETE FROM runner_crons c USING runner_functions f WHERE f.id = c.function_id AND f.app_id = $1
     AND NOT EXISTS (SELECT FROM unnest($2::text[], $3::text[]) AS kept (id, expression) WHERE kept.id = c.function_id AND kept.expression = c.expression)`,
    [appId, ...columns],
  );
  await sql.query(
    `INSERT INTO runner_crons (function_id, expression, due_at) SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS new (id, expression, due_at)
     WHERE due_at IS NOT NULL ON CONFLICT DO NOTHING`,
    [...columns, crons.map(({ dueAt }) => dueAt)],
  );
}

/** Null for an expression that only a newer version can read: that server has stored it, and fires it. */
function firstTick(expression: string, now: Date, isOwn: boolean): Date | null {
  try {
    return nextTick(parseCron(expression), now);
  } catch (error) {
    if (isOwn) throw error;
    return null;
  }
}

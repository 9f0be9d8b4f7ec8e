import { typeid } from "typeid-js";
import { isKey, type Sql } from "@/inngest/embedded/database";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { laneOf } from "@/inngest/embedded/read-config";
import type { NewEvent } from "@/inngest/embedded/read-events";

/** The step id of the call that runs a function up to its next new step. */
export const DISCOVERY = "step";

/** A run that an event is about to start. */
export interface NewRun {
  id: string;
  functionId: string;
  lane: string;
  event: NewEvent;
}

/** Events, each once, with the runs that they start. */
export interface NewWork {
  events: NewEvent[];
  runs: NewRun[];
}

/** Sorted: batches of several runners that share ids lock them in one order. */
export function planWork(registry: FunctionRegistry, given: NewEvent[]): NewWork {
  const events = [...new Map(given.map((event) => [event.id, event])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const runs = events.flatMap((event) =>
    functionsOf(event, registry).map((fn) => ({
      id: typeid("run").toString(),
      functionId: fn.id,
      lane: laneOf(fn, event.data),
      event,
    })),
  );
  return { events, runs };
}

/** Inserts events, their runs and the runs' first items in one statement. An event whose id is known already starts nothing. */
export async function insertEvents(sql: Sql, registry: FunctionRegistry, events: NewEvent[]): Promise<void> {
  await insertWork(sql, planWork(registry, events));
}

/** Inserts what was planned, in one statement. */
export async function insertWork(sql: Sql, work: NewWork): Promise<void> {
  await sql.query({ name: "runner-insert-events", text: insertText(), values: valuesOf(work) });
}

/** Moves events out of a table: each row of it is deleted, and an event without one is left out. */
export async function moveWork(sql: Sql, table: string, work: NewWork, movedIds: string[]): Promise<void> {
  const text = insertText({ with: movedFrom(table), where: IS_MOVED });
  await sql.query({ name: "runner-move-events", text, values: [...valuesOf(work), movedIds] });
}

/**
 * Takes rows of the events `$9` out of a table; of those without one nothing is to be stored. All of it is done or nothing, so
 * that an event is always in one place and never in both.
 */
export function movedFrom(table: string): string {
  return `found AS MATERIALIZED (
    SELECT id FROM ${table} WHERE id = ANY ($9::text[]) ORDER BY id FOR UPDATE
  ), moved AS (
    DELETE FROM ${table} old USING found WHERE ${isKey("old.id", "found.id")} RETURNING old.id
  ), `;
}

export const IS_MOVED = "WHERE id <> ALL ($9::text[]) OR id IN (SELECT id FROM moved)";

interface InsertParts {
  /** Parts of the statement's `WITH`, each with its comma. */
  with?: string;
  /** Which of the events are stored. */
  where?: string;
  /** Further columns of a run's first item with their values, which begin with the state. */
  columns?: string;
  values?: string;
  /** A part to join with, after a comma. */
  from?: string;
  /** What goes on from the items. */
  returning?: string;
}

const WAITS_OR_READY = "CASE WHEN start_at IS NULL THEN 'ready' ELSE 'waiting' END";

/** The parameters are those of `valuesOf`. */
export function insertText(parts: InsertParts = {}): string {
  return `
    WITH ${parts.with ?? ""}events AS (
      INSERT INTO runner_events (id, name, payload, received_at)
      SELECT id, name, payload, now() FROM unnest($1::text[], $2::text[], $3::text[]) AS new (id, name, payload)
      ${parts.where ?? ""}
      ON CONFLICT (id) DO NOTHING RETURNING id
    ), given AS (
      SELECT run.* FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::float8[])
        AS run (id, function_id, event_id, lane, start_at) JOIN events ON events.id = run.event_id
    ), runs AS (
      INSERT INTO runner_runs (id, function_id, event_id, lane, status, pending, created_at)
      SELECT id, function_id, event_id, lane, 'running', 0, now() FROM given
    )
    INSERT INTO runner_items (run_id, step_id, lane, is_sleep, due_at, attempt, losses, generation, state${parts.columns ?? ""})
    SELECT id, '${DISCOVERY}', lane, false, coalesce(to_timestamp(start_at / 1000), now()), 0, 0, 1,
      ${parts.values ?? WAITS_OR_READY} FROM given${parts.from ?? ""} ${parts.returning ?? ""}`;
}

/** The first eight parameters. */
export function valuesOf({ events, runs }: NewWork): unknown[] {
  return [
    events.map((event) => event.id),
    events.map((event) => event.name),
    events.map((event) => event.payload),
    runs.map(({ id }) => id),
    runs.map(({ functionId }) => functionId),
    runs.map(({ event }) => event.id),
    runs.map(({ lane }) => lane),
    runs.map(({ event }) => event.startAt ?? null),
  ];
}

function functionsOf(event: NewEvent, registry: FunctionRegistry) {
  if (event.onlyFunctionId === undefined) return registry.triggeredBy(event);
  const fn = registry.get(event.onlyFunctionId);
  return fn ? [fn] : [];
}

import type pg from "pg";
import { typeid } from "typeid-js";
import { BEGIN_DURABLY, inTransaction, retryDeadlocks, type Sql } from "@/inngest/embedded/database";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { laneOf } from "@/inngest/embedded/read-config";
import type { NewEvent } from "@/inngest/embedded/read-events";

const MAX_BATCH_EVENTS = 500;

/** The step id of the call that runs a function up to its next new step. */
export const DISCOVERY = "step";

/**
 * Stores events with the runs they start, many callers' in one statement: while one batch is on its way to
 * the disk, the next gathers.
 */
export class EventStore {
  #waiting: { events: NewEvent[]; isDurable: boolean; resolve: () => void; reject: (error: unknown) => void }[] = [];
  #isFlushing = false;

  constructor(
    private readonly pool: pg.Pool,
    private readonly registry: FunctionRegistry,
    private readonly onStored: () => void,
  ) {}

  /**
   * Resolves once the events are stored; an event whose id is known already starts nothing.
   * @param isDurable whether it resolves only when they survive a crash of the database: for senders that keep nothing
   */
  add(events: NewEvent[], { isDurable = false } = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, isDurable, resolve, reject });
      if (!this.#isFlushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      try {
        const events = batch.flatMap((each) => each.events);
        const insert = (sql: Sql) => insertEvents(sql, this.registry, events);
        const isDurable = batch.some((each) => each.isDurable);
        await retryDeadlocks(() => (isDurable ? inTransaction(this.pool, insert, BEGIN_DURABLY) : insert(this.pool)));
        for (const { resolve } of batch) resolve();
        this.onStored();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isFlushing = false;
  }

  #takeBatch() {
    let size = 0;
    let count = 0;
    for (const { events } of this.#waiting) {
      size += events.length;
      if (count > 0 && size > MAX_BATCH_EVENTS) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }
}

/** Inserts events, their runs and the runs' first items in one statement. */
export async function insertEvents(sql: Sql, registry: FunctionRegistry, events: NewEvent[]): Promise<void> {
  // Sorted: batches of several runners that share ids lock them in one order.
  const distinct = [...new Map(events.map((event) => [event.id, event])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  const runs = distinct.flatMap((event) =>
    functionsOf(event, registry).map((fn) => ({ event, fn, lane: laneOf(fn, event.data) })),
  );
  await sql.query({
    name: "runner-insert-events",
    text: `
      WITH events AS (
        INSERT INTO runner_events (id, name, payload, received_at)
        SELECT id, name, payload, now() FROM unnest($1::text[], $2::text[], $3::text[]) AS new (id, name, payload)
        ON CONFLICT (id) DO NOTHING RETURNING id
      ), given AS (
        SELECT run.* FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::float8[])
          AS run (id, function_id, event_id, lane, start_at) JOIN events ON events.id = run.event_id
      ), runs AS (
        INSERT INTO runner_runs (id, function_id, event_id, lane, status, pending, created_at)
        SELECT id, function_id, event_id, lane, 'running', 0, now() FROM given
      )
      INSERT INTO runner_items (run_id, step_id, lane, is_sleep, state, due_at, attempt, losses, generation)
      SELECT id, '${DISCOVERY}', lane, false, CASE WHEN start_at IS NULL THEN 'ready' ELSE 'waiting' END,
        coalesce(to_timestamp(start_at / 1000), now()), 0, 0, 1 FROM given`,
    values: [
      distinct.map((event) => event.id),
      distinct.map((event) => event.name),
      distinct.map((event) => event.payload),
      runs.map(() => typeid("run").toString()),
      runs.map(({ fn }) => fn.id),
      runs.map(({ event }) => event.id),
      runs.map(({ lane }) => lane),
      runs.map(({ event }) => event.startAt ?? null),
    ],
  });
}

function functionsOf(event: NewEvent, registry: FunctionRegistry) {
  if (event.onlyFunctionId === undefined) return registry.triggeredBy(event);
  const fn = registry.get(event.onlyFunctionId);
  return fn ? [fn] : [];
}

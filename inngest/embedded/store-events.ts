import type pg from "pg";
import { typeid } from "typeid-js";
import { BEGIN_DURABLY, inTransaction, retryDeadlocks, type Sql } from "@/inngest/embedded/database";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { laneOf } from "@/inngest/embedded/read-config";
import type { NewEvent } from "@/inngest/embedded/read-events";

const MAX_BATCH_EVENTS = 500;

/** The step id of the call that runs a function up to its next new step. */
export const DISCOVERY = "step";

export interface EventStoreOptions {
  pool: pg.Pool;
  registry: FunctionRegistry;
  /** Where rows are of events that are moved here. */
  outboxTable: string | undefined;
  onStored(): void;
}

interface AddOptions {
  /** Whether it resolves only when they survive a crash of the database: for senders that keep nothing. */
  isDurable?: boolean;
  /** Whether they are rows of the outbox, which are deleted there by the same statement; those that are not are left out. */
  isMoved?: boolean;
}

interface Waiting extends AddOptions {
  events: NewEvent[];
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Stores events with the runs they start, many callers' in one statement: while one batch is on its way to
 * the disk, the next gathers.
 */
export class EventStore {
  #waiting: Waiting[] = [];
  #isFlushing = false;
  readonly #move: { name: string; text: string };

  constructor(private readonly options: EventStoreOptions) {
    this.#move = { name: "runner-move-events", text: insertText(options.outboxTable ?? "") };
  }

  /** Resolves once the events are stored; an event whose id is known already starts nothing. */
  add(events: NewEvent[], options: AddOptions = {}): Promise<void> {
    if (options.isMoved && !this.options.outboxTable)
      return Promise.reject(new Error("There is no table to move from."));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, ...options, resolve, reject });
      if (!this.#isFlushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      try {
        const { pool, registry } = this.options;
        const events = batch.flatMap((each) => each.events);
        const moved = batch.flatMap((each) => (each.isMoved ? each.events.map(({ id }) => id) : []));
        const insert = async (sql: Sql) => {
          if (moved.length === 0) await insertEvents(sql, registry, events);
          else await sql.query({ ...this.#move, values: [...valuesOf(registry, events), moved.sort()] });
        };
        const isDurable = batch.some((each) => each.isDurable);
        await retryDeadlocks(() => (isDurable ? inTransaction(pool, insert, BEGIN_DURABLY) : insert(pool)));
        for (const { resolve } of batch) resolve();
        this.options.onStored();
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

/**
 * @param table has rows of the events `$9`: each is deleted, and of those without one nothing is stored. All of it is done or
 * nothing, so that an event is always in one place and never in both. "": there is no such table
 */
function insertText(table: string): string {
  const moved = `moved AS (
        DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id = ANY ($9::text[]) ORDER BY id FOR UPDATE)
        RETURNING id
      ), `;
  return `
      WITH ${table && moved}events AS (
        INSERT INTO runner_events (id, name, payload, received_at)
        SELECT id, name, payload, now() FROM unnest($1::text[], $2::text[], $3::text[]) AS new (id, name, payload)
        ${table && "WHERE id <> ALL ($9::text[]) OR id IN (SELECT id FROM moved)"}
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
        coalesce(to_timestamp(start_at / 1000), now()), 0, 0, 1 FROM given`;
}

const INSERT_EVENTS = { name: "runner-insert-events", text: insertText("") };

/** Inserts events, their runs and the runs' first items in one statement. */
export async function insertEvents(sql: Sql, registry: FunctionRegistry, events: NewEvent[]): Promise<void> {
  await sql.query({ ...INSERT_EVENTS, values: valuesOf(registry, events) });
}

function valuesOf(registry: FunctionRegistry, events: NewEvent[]): unknown[] {
  // Sorted: batches of several runners that share ids lock them in one order.
  const distinct = [...new Map(events.map((event) => [event.id, event])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  const runs = distinct.flatMap((event) =>
    functionsOf(event, registry).map((fn) => ({ event, fn, lane: laneOf(fn, event.data) })),
  );
  return [
    distinct.map((event) => event.id),
    distinct.map((event) => event.name),
    distinct.map((event) => event.payload),
    runs.map(() => typeid("run").toString()),
    runs.map(({ fn }) => fn.id),
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

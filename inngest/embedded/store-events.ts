import type pg from "pg";
import { BEGIN_DURABLY, inTransaction, retryDeadlocks, type Sql } from "@/inngest/embedded/database";
import type { FunctionRegistry } from "@/inngest/embedded/function-registry";
import { insertWork, moveWork, planWork } from "@/inngest/embedded/insert-events";
import type { NewEvent } from "@/inngest/embedded/read-events";
import { type StartPlaces, startAtOnce } from "@/inngest/embedded/start-at-once";

const MAX_BATCH_EVENTS = 500;

export interface EventStoreOptions {
  pool: pg.Pool;
  registry: FunctionRegistry;
  /** Where rows are of events that are moved here. */
  outboxTable: string | undefined;
  /** Where runs of events that are moved here may start without a look at the queue. */
  places: StartPlaces;
  /** Something may be ready in these lanes that nobody has taken. */
  onStored(lanes: string[]): void;
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

  constructor(private readonly options: EventStoreOptions) {}

  /** Resolves once the events are stored; an event whose id is known already starts nothing. */
  add(events: NewEvent[], options: AddOptions = {}): Promise<void> {
    if (options.isMoved && !this.options.outboxTable)
      return Promise.reject(new Error("There is no table to move from."));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, ...options, resolve, reject });
      if (this.#isFlushing) return;
      this.#isFlushing = true;
      // Calls that were accepted together hand over their events one after the other, in one turn of the event loop.
      setImmediate(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#takeBatch();
      try {
        const waiting = await retryDeadlocks(() => this.#store(batch));
        for (const { resolve } of batch) resolve();
        if (waiting.length > 0) this.options.onStored(waiting);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isFlushing = false;
  }

  /** Returns the lanes of runs that were not started here. */
  async #store(batch: Waiting[]): Promise<string[]> {
    const { pool, registry, places, outboxTable = "" } = this.options;
    const movedIds = batch.flatMap((each) => (each.isMoved ? each.events.map(({ id }) => id) : [])).sort();
    const work = planWork(
      registry,
      batch.flatMap((each) => each.events),
    );
    const lanes = [...new Set(work.runs.map(({ lane }) => lane))];
    if (batch.every((each) => each.isMoved && !each.isDurable)) {
      const isStarted = await startAtOnce(pool, places, outboxTable, work, movedIds);
      if (isStarted !== null) return isStarted ? [] : lanes;
    }
    const write = (sql: Sql) =>
      movedIds.length === 0 ? insertWork(sql, work) : moveWork(sql, outboxTable, work, movedIds);
    await (batch.some((each) => each.isDurable) ? inTransaction(pool, write, BEGIN_DURABLY) : write(pool));
    for (const { events, isMoved } of batch) if (isMoved) for (const event of events) places.pass?.(event);
    return lanes;
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

import type { ServiceEvent } from "@/inngest/events";
import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";

const ENQUEUE_EVENTS = {
  name: "enqueue-events",
  text: `INSERT INTO outbox_events (id, name, data)
         SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[])`,
};

/** When that which is behind becomes due. No time of a clock: what has waited for long, as behind a queue that was away, is news. */
export const BEHIND = "'-infinity'";
/** A condition on `outbox_events`: it was written by `enqueueBehind`. */
export const IS_BEHIND = `available_at = ${BEHIND}`;
/** A condition on `outbox_events`: it was not. As an index can be read by it, from behind all that is behind. */
export const IS_NEWS = `available_at > ${BEHIND}`;

/**
 * The oldest of all: every second batch that is handed over is of the newest, which what is written by the hundred thousand would
 * else be itself for as long as it is being written.
 */
const ENQUEUE_BEHIND = {
  name: "enqueue-events-behind",
  text: `INSERT INTO outbox_events (id, name, data, available_at)
         SELECT *, ${BEHIND}::timestamptz FROM unnest($1::text[], $2::text[], $3::jsonb[])`,
};

/** The same for what comes in any number and is no news: it is handed over beside what happens meanwhile, and never before it. */
export function enqueueBehind(tx: Transaction, events: ServiceEvent[]): Promise<number> {
  return enqueue(tx, ENQUEUE_BEHIND, events);
}

/** Writes events into the outbox, in the transaction of the rows they speak of; returns how many. */
export function enqueueEvents(tx: Transaction, events: ServiceEvent[]): Promise<number> {
  return enqueue(tx, ENQUEUE_EVENTS, events);
}

async function enqueue(tx: Transaction, statement: typeof ENQUEUE_EVENTS, events: ServiceEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  await tx.query({
    ...statement,
    values: [
      events.map(() => newId("outbox")),
      events.map((event) => event.name),
      events.map((event) => JSON.stringify(event.data)),
    ],
  });
  return events.length;
}

import type { ServiceEvent } from "@/inngest/events";
import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";

const ENQUEUE_EVENTS = {
  name: "enqueue-events",
  text: `INSERT INTO outbox_events (id, name, data)
         SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[])`,
};

/** Writes events into the outbox, in the transaction of the rows they speak of; returns their ids. */
export async function enqueueEvents(tx: Transaction, events: ServiceEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const ids = events.map(() => newId("outbox"));
  await tx.query({
    ...ENQUEUE_EVENTS,
    values: [ids, events.map((event) => event.name), events.map((event) => JSON.stringify(event.data))],
  });
  return ids;
}

/** The same transaction, which notes whether events are written through it. */
export function watchOutbox(tx: Transaction): { tx: Transaction; hasRows(): boolean } {
  let hasRows = false;
  const ask = tx.query.bind(tx) as (...args: unknown[]) => unknown;
  const query = (...args: unknown[]) => {
    hasRows ||= (args[0] as { name?: string }).name === ENQUEUE_EVENTS.name;
    return ask(...args);
  };
  return { tx: { query, isTransaction: true } as Transaction, hasRows: () => hasRows };
}

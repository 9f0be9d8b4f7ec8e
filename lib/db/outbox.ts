import type { ServiceEvent } from "@/inngest/events";
import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";

const ENQUEUE_EVENTS = {
  name: "enqueue-events",
  text: `INSERT INTO outbox_events (id, name, data)
         SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[])`,
};

/** Writes events into the outbox, in the transaction of the rows they speak of; returns how many. */
export async function enqueueEvents(tx: Transaction, events: ServiceEvent[]): Promise<number> {
  if (events.length === 0) return 0;
  await tx.query({
    ...ENQUEUE_EVENTS,
    values: [
      events.map(() => newId("outbox")),
      events.map((event) => event.name),
      events.map((event) => JSON.stringify(event.data)),
    ],
  });
  return events.length;
}

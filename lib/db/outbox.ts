import type { ServiceEvent } from "@/inngest/events";
import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";

/** Writes events into the outbox, in the transaction of the rows they speak of; returns their ids. */
export async function enqueueEvents(tx: Transaction, events: ServiceEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  const ids = events.map(() => newId("outbox"));
  await tx.query({
    name: "enqueue-events",
    text: `INSERT INTO outbox_events (id, name, data)
           SELECT * FROM unnest($1::text[], $2::text[], $3::jsonb[])`,
    values: [ids, events.map((event) => event.name), events.map((event) => JSON.stringify(event.data))],
  });
  return ids;
}

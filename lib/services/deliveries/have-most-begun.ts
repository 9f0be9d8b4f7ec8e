import { logDb } from "@/lib/db/pool";
import { unindexed } from "@/lib/db/unindexed";
import type { QueueEvent } from "@/lib/services/outbox/relay-wake";

/** Of those that a queue was given: as long as more wait there, more of them would only be in the way of others. */
const MOST_LEFT = 1 / 4;

/** Whether of the deliveries that events speak of most have been tried, or are over; true where they speak of none. */
export async function haveMostBegun(events: readonly QueueEvent[]): Promise<boolean> {
  const ids = events.flatMap(({ name, data }) => (name === "delivery/ready" ? [data.deliveryId] : []));
  if (ids.length === 0) return true;
  const { rows } = await logDb().query<{ left: number }>({
    name: "count-untried-deliveries",
    text: `SELECT count(*)::int AS left FROM webhook_deliveries d
           WHERE d.id = ANY ($1::text[]) AND ${unindexed("d.status")} = 'pending'
             AND NOT EXISTS (SELECT FROM webhook_attempts a WHERE a.delivery_id = d.id AND a.round = d.round)`,
    values: [ids],
  });
  return (rows[0]?.left ?? 0) <= ids.length * MOST_LEFT;
}

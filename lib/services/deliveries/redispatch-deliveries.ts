import { enqueueBehind } from "@/lib/db/outbox";
import { inTransaction } from "@/lib/db/pool";
import { unindexed } from "@/lib/db/unindexed";
import { attemptLeaseSeconds } from "@/lib/services/deliveries/claim-attempt";
import { type ReadyDelivery, readyColumns, readyEvent } from "@/lib/services/deliveries/ready-event";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

export interface RedispatchOptions {
  /** How long a delivery may be overdue; the queue has it then, or it has lost it. */
  graceSeconds?: number;
  /** Of one sweep. */
  limit?: number;
  /**
   * Of one sweep and receiver: a receiver that hangs has a long queue of its own, and handing it over again each time
   * would only make it longer.
   */
  limitPerReceiver?: number;
}

/**
 * The receiver of a row as the queue knows it, nearly: callbacks are told apart by their whole address. Rows are taken by their
 * keys alone: what the database knows of the table is of before a receiver went away, when next to nothing was overdue, and by the
 * index of what is due it would read all that is overdue once for each of them.
 */
const OVERDUE = `
  WITH overdue AS (
    SELECT d.id, d.next_attempt_at,
           row_number() OVER (PARTITION BY coalesce(d.registration_id, d.account_id || ' ' || d.url) ORDER BY d.next_attempt_at) AS place
    FROM webhook_deliveries d
    WHERE d.status = 'pending' AND d.next_attempt_at < now() - make_interval(secs => $1)
      AND NOT EXISTS (SELECT FROM webhook_attempts a
                      WHERE a.delivery_id = d.id AND a.round = d.round AND a.duration_ms IS NULL
                        AND a.started_at > now() - make_interval(secs => $2)))
  UPDATE webhook_deliveries SET next_attempt_at = now()
  WHERE id IN (
    SELECT d.id FROM webhook_deliveries d
    WHERE d.id = ANY (ARRAY (SELECT id FROM overdue WHERE place <= $4)) AND ${unindexed("d.status")} = 'pending'
      AND d.next_attempt_at < now() - make_interval(secs => $1)
    ORDER BY d.next_attempt_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED)
  RETURNING ${readyColumns("webhook_deliveries")}`;

/**
 * Hands overdue deliveries to the queue again, in case it lost them. One that it had after all is sent once all the
 * same: attempts are claimed. Safe to run in several processes at once.
 * @returns how many were handed over
 */
export async function redispatchDeliveries(options: RedispatchOptions = {}): Promise<number> {
  const { graceSeconds = 120, limit = 1_000, limitPerReceiver = 100 } = options;
  const count = await inTransaction(async (tx) => {
    const { rows } = await tx.query<ReadyDelivery>(OVERDUE, [
      graceSeconds,
      attemptLeaseSeconds(),
      limit,
      limitPerReceiver,
    ]);
    await enqueueBehind(tx, rows.map(readyEvent));
    return rows.length;
  });
  if (count > 0) wakeRelay();
  return count;
}

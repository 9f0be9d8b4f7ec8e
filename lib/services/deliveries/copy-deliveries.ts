import { enqueueBehind, enqueueEvents } from "@/lib/db/outbox";
import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import type { ProjectScope } from "@/lib/domain/principal";
import { type ReadyDelivery, readyColumns, readyEvent } from "@/lib/services/deliveries/ready-event";

/** What names the event of a row of `webhook_deliveries`, the same for each of its receivers: emit-deliveries.ts adds who it is. */
const eventKey = (row: string) => `regexp_replace(${row}.dedupe_key, ':[^:]*$', '')`;

/** The key of a row's event for the registration that stands at `place` (`$1`): one that has the event has a row of that key. */
export const keyFor = (row: string, place: string) => `${eventKey(row)} || ':' || ${place}::text`;

/**
 * Rows are held against being deleted, in the order that lock-deliveries.ts tells: one that goes with its session or end user takes
 * its copies along, or is gone before there are any. Copies keep the time of the event: by that they are kept, erased and listed.
 */
const COPY_DELIVERIES = `
  WITH held AS MATERIALIZED (
    SELECT d.*, ${keyFor("d", "$3")} AS copy_key FROM webhook_deliveries d
    WHERE d.id = ANY ($1::text[]) AND d.account_id = $4 AND d.project_id = $5 AND NOT d.is_test
    ORDER BY d.id FOR KEY SHARE),
  event AS (SELECT DISTINCT ON (copy_key) * FROM held ORDER BY copy_key, id),
  numbered AS (SELECT *, row_number() OVER (ORDER BY created_at, id) AS n FROM event)
  INSERT INTO webhook_deliveries AS d (id, delivery_uuid, account_id, project_id, registration_id, url, event, body,
                                  session_id, turn_id, end_user_id, dedupe_key, created_at, next_attempt_at)
  SELECT ($2::text[])[n], gen_random_uuid(), r.account_id, r.project_id, r.id, r.url, e.event, e.body,
         e.session_id, e.turn_id, e.end_user_id, e.copy_key, e.created_at, now()
  FROM numbered e
  JOIN webhook_registrations r ON r.id = $3 AND r.account_id = e.account_id AND r.project_id = e.project_id
    AND r.active AND r.status = 'active' AND e.event = ANY (r.events) AND r.id IS DISTINCT FROM e.registration_id
  ORDER BY n
  ON CONFLICT (dedupe_key) DO NOTHING
  RETURNING ${readyColumns("d")}`;

/**
 * Sends the events of deliveries to another receiver of their project, oldest first: each is a delivery of its own with the same
 * bytes, signed by that receiver's secret, and handed to the queue in the caller's transaction. Nothing is made of an event that
 * the receiver has already, does not want, or cannot be sent while it is off, nor of test events and deliveries of others.
 * @returns the ids of the new ones, in order
 */
export async function copyDeliveries(
  tx: Transaction,
  { accountId, projectId }: ProjectScope,
  webhookId: string,
  ids: readonly string[],
): Promise<string[]> {
  const newIds = ids.map(() => newId("delivery"));
  const { rows } = await tx.query<ReadyDelivery>(COPY_DELIVERIES, [ids, newIds, webhookId, accountId, projectId]);
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  // For a single one somebody waits who has pressed a button.
  await (ids.length > 1 ? enqueueBehind : enqueueEvents)(tx, rows.map(readyEvent));
  return rows.map(({ id }) => id);
}

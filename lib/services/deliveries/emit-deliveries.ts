import type { WebhookPayload } from "@/lib/contracts/webhook-events";
import { enqueueEvents } from "@/lib/db/outbox";
import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { readyEvent } from "@/lib/services/deliveries/ready-event";

export interface EmitInput {
  accountId: string;
  projectId: string;
  sessionId: string | null;
  turnId: string | null;
  endUserId: string | null;
  /** The call's own receiver; it is told of `completion` and `error` alone. */
  callbackUrl: string | null;
  event: WebhookPayload;
  /** Names what happened, e.g. turn id and kind: emitting it again adds nothing. */
  dedupeKey: string;
}

/** Ids made ahead, for a registration and a callback; a project with more receivers takes one statement more. */
const IDS_AHEAD = 2;

/**
 * One row per receiver: the project's active registrations that want this kind, and the callback. Those of failed
 * registrations are held back until someone sends them (contract §8). `$1` are ids for the first rows; `receivers` in
 * the answer tells whether they were enough.
 */
const INSERT_DELIVERIES = `
  WITH receivers AS (
    SELECT r.*, row_number() OVER (ORDER BY registration_id) AS position FROM (
      SELECT id AS registration_id, url, CASE status WHEN 'failed' THEN 'held' ELSE 'pending' END AS status
      FROM webhook_registrations
      WHERE project_id = $3 AND active AND status IN ('active', 'failed') AND $8::text = ANY (events)
      UNION ALL SELECT NULL, $7::text, 'pending' WHERE $7::text IS NOT NULL) r),
  inserted AS (
    INSERT INTO webhook_deliveries (id, delivery_uuid, account_id, project_id, registration_id, url, event, body,
                                    session_id, turn_id, end_user_id, dedupe_key, status, next_attempt_at)
    SELECT ($1::text[])[position], gen_random_uuid(), $2, $3, registration_id, url, $8, $9, $4, $5, $6,
           $10 || ':' || coalesce(registration_id, 'callback'), status, CASE status WHEN 'pending' THEN now() END
    FROM receivers WHERE position <= cardinality($1::text[])
    ON CONFLICT (dedupe_key) DO NOTHING
    RETURNING id, round, registration_id AS "registrationId", url, status)
  SELECT (SELECT count(*) FROM receivers) AS receivers, coalesce(json_agg(inserted), '[]') AS deliveries FROM inserted`;

interface InsertedDelivery {
  id: string;
  round: number;
  registrationId: string | null;
  url: string;
  status: "pending" | "held";
}

/**
 * Writes the deliveries of one event and their hand-over to the queue, in the transaction of what happened (§6.1).
 * The body is made here, once: every attempt sends these bytes. One statement where nobody is to be told, else two.
 */
export async function emitDeliveries(tx: Transaction, input: EmitInput): Promise<void> {
  const body = JSON.stringify(input.event);
  const deliveries: InsertedDelivery[] = [];
  for (let known = IDS_AHEAD, receivers = Number.POSITIVE_INFINITY; ; known = receivers) {
    const found = await insertDeliveries(tx, input, body, known);
    deliveries.push(...found.deliveries);
    receivers = found.receivers;
    if (receivers <= known) break;
  }
  const due = deliveries.filter(({ status }) => status === "pending");
  await enqueueEvents(tx, due.map(readyEvent));
}

async function insertDeliveries(tx: Transaction, input: EmitInput, body: string, idCount: number) {
  const { accountId, projectId, sessionId, turnId, endUserId, event, dedupeKey } = input;
  const isForCallback = event.type === "completion" || event.type === "error";
  const { rows } = await tx.query<{ receivers: number; deliveries: InsertedDelivery[] }>({
    name: "insert-deliveries",
    text: INSERT_DELIVERIES,
    values: [
      Array.from({ length: idCount }, () => newId("delivery")),
      accountId,
      projectId,
      sessionId,
      turnId,
      endUserId,
      isForCallback ? input.callbackUrl : null,
      event.type,
      body,
      dedupeKey,
    ],
  });
  return rows[0] ?? { receivers: 0, deliveries: [] };
}

import type { WebhookPayload } from "@/lib/contracts/webhook-events";
import { enqueueEvents } from "@/lib/db/outbox";
import type { Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { type ReadyDelivery, readyColumns, readyEvent } from "@/lib/services/deliveries/ready-event";

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
 * One row per event and receiver: the project's active registrations that want this kind, and the callback. Those of failed
 * registrations are held back until someone sends them (contract §8). `$1` are ids for the first `$2` rows of each event;
 * `receivers` in the answer tells whether they were enough. The other parameters are lists, with a place for each event.
 */
const INSERT_DELIVERIES = `
  WITH receivers AS (
    SELECT e.*, r.*, row_number() OVER (PARTITION BY e.n ORDER BY r.registration_id) AS position
    FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
      WITH ORDINALITY AS e (account_id, project_id, session_id, turn_id, end_user_id, callback_url, event, body, dedupe_key, n)
    CROSS JOIN LATERAL (
      SELECT id AS registration_id, url, CASE status WHEN 'failed' THEN 'held' ELSE 'pending' END AS status
      FROM webhook_registrations
      WHERE project_id = e.project_id AND active AND status IN ('active', 'failed') AND e.event = ANY (events)
      UNION ALL SELECT NULL, e.callback_url, 'pending' WHERE e.callback_url IS NOT NULL) r),
  inserted AS (
    INSERT INTO webhook_deliveries AS d (id, delivery_uuid, account_id, project_id, registration_id, url, event, body,
                                    session_id, turn_id, end_user_id, dedupe_key, status, next_attempt_at)
    SELECT ($1::text[])[(n - 1) * $2::int + position], gen_random_uuid(), account_id, project_id, registration_id, url, event,
           body, session_id, turn_id, end_user_id, dedupe_key || ':' || coalesce(registration_id, 'callback'), status,
           CASE status WHEN 'pending' THEN now() END
    FROM receivers WHERE position <= $2::int
    ON CONFLICT (dedupe_key) DO NOTHING
    RETURNING ${readyColumns("d")}, d.status)
  SELECT (SELECT coalesce(max(position), 0) FROM receivers) AS receivers, coalesce(json_agg(inserted), '[]') AS deliveries
  FROM inserted`;

interface InsertedDelivery extends ReadyDelivery {
  status: "pending" | "held";
}

/**
 * Writes the deliveries of events and their hand-over to the queue, in the transaction of what happened (§6.1).
 * The body is made here, once: every attempt sends these bytes. One statement where nobody is to be told, else two.
 * @returns how many were handed over
 */
export async function emitDeliveries(tx: Transaction, inputs: EmitInput[]): Promise<number> {
  if (inputs.length === 0) return 0;
  const bodies = inputs.map(({ event }) => JSON.stringify(event));
  const deliveries: InsertedDelivery[] = [];
  for (let known = IDS_AHEAD, receivers = Number.POSITIVE_INFINITY; ; known = receivers) {
    const found = await insertDeliveries(tx, inputs, bodies, known);
    deliveries.push(...found.deliveries);
    receivers = found.receivers;
    if (receivers <= known) break;
  }
  const due = deliveries.filter(({ status }) => status === "pending");
  return enqueueEvents(tx, due.map(readyEvent));
}

async function insertDeliveries(tx: Transaction, inputs: EmitInput[], bodies: string[], idsOfEach: number) {
  const { rows } = await tx.query<{ receivers: number; deliveries: InsertedDelivery[] }>({
    name: "insert-deliveries",
    text: INSERT_DELIVERIES,
    values: [
      Array.from({ length: idsOfEach * inputs.length }, () => newId("delivery")),
      idsOfEach,
      inputs.map(({ accountId }) => accountId),
      inputs.map(({ projectId }) => projectId),
      inputs.map(({ sessionId }) => sessionId),
      inputs.map(({ turnId }) => turnId),
      inputs.map(({ endUserId }) => endUserId),
      inputs.map(({ event: { type }, callbackUrl }) =>
        type === "completion" || type === "error" ? callbackUrl : null,
      ),
      inputs.map(({ event }) => event.type),
      bodies,
      inputs.map(({ dedupeKey }) => dedupeKey),
    ],
  });
  return rows[0] ?? { receivers: 0, deliveries: [] };
}

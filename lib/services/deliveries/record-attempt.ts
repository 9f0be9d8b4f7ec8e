import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseAway } from "@/lib/db/failures";
import { db, inTransaction, type Queryable, type Transaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import type { EgressFault, EgressResponse } from "@/lib/net/egress-client";
import { attemptLeaseSeconds, type ClaimedAttempt } from "@/lib/services/deliveries/claim-attempt";
import type { DeliveryToSend } from "@/lib/services/deliveries/load-delivery";

/** What the attempt makes of its delivery. */
export type AttemptVerdict =
  | { status: "delivered" }
  | { status: "failed" }
  | { status: "pending"; delaySeconds: number };

/**
 * Ends the attempt if it is still the claimed one, then moves the delivery on if nobody else did. The time of the last
 * delivery is good to a second: every delivery would queue for the registration's row otherwise.
 */
const RECORD_ATTEMPT = `
  WITH attempt AS (
    UPDATE webhook_attempts SET duration_ms = $5, response_status = $6, response_headers = $7::jsonb,
                                response_body = $8, error = $9
    WHERE delivery_id = $1 AND round = $2 AND number = $3 AND started_at = $4 AND duration_ms IS NULL
    RETURNING delivery_id),
  delivery AS (
    UPDATE webhook_deliveries SET status = $10, attempt_count = attempt_count + 1,
           next_attempt_at = now() + make_interval(secs => $11),
           delivered_at = CASE WHEN $10 = 'delivered' THEN now() END
    WHERE id = (SELECT delivery_id FROM attempt) AND round = $2 AND status = 'pending'
    RETURNING registration_id),
  receiver AS (
    UPDATE webhook_registrations SET last_delivery_at = now()
    WHERE id = (SELECT registration_id FROM delivery) AND $10 = 'delivered'
      AND (last_delivery_at IS NULL OR last_delivery_at < now() - interval '1 second'))
  SELECT EXISTS (SELECT FROM delivery) AS "isMoved"`;

/** Only the first of several deliveries that fail for good finds the registration active: one alert. */
const FAIL_REGISTRATION = `
  WITH failed AS (
    UPDATE webhook_registrations SET status = 'failed', failed_at = now(), updated_at = now()
    WHERE id = $1 AND status = 'active'
    RETURNING id, account_id, project_id)
  INSERT INTO alerts (id, account_id, project_id, kind, subject_id, message, data)
  SELECT $2, account_id, project_id, 'webhook.failed', id, $3, $4::jsonb FROM failed`;

const PATIENCE_STEP_MS = 250;

/**
 * Keeps what came of an attempt and moves its delivery on, in one transaction; after the last failure of a delivery its
 * registration is marked `failed` and its owner alerted (§6.4). While the database is away it tries on for as long as the
 * attempt is its own: what was sent and is not written down is sent again.
 * @returns false when another process has gone on with the delivery meanwhile: then nothing of it was changed
 */
export async function recordAttempt(
  delivery: DeliveryToSend,
  attempt: ClaimedAttempt,
  result: EgressResponse | EgressFault,
  verdict: AttemptVerdict,
): Promise<boolean> {
  const giveUpAt = performance.now() + attemptLeaseSeconds() * 1_000 - result.durationMs;
  let lost: unknown;
  for (;;) {
    try {
      const isMoved = await record(delivery, attempt, result, verdict);
      // It may be the lost try that moved it: whoever looks again sees how far it is.
      if (!isMoved && lost !== undefined) throw lost;
      return isMoved;
    } catch (error) {
      if (error === lost || !isDatabaseAway(error) || performance.now() > giveUpAt) throw error;
      lost = error;
      await delay(PATIENCE_STEP_MS);
    }
  }
}

async function record(
  delivery: DeliveryToSend,
  attempt: ClaimedAttempt,
  result: EgressResponse | EgressFault,
  verdict: AttemptVerdict,
): Promise<boolean> {
  const isFatal = verdict.status === "failed" && delivery.registrationId !== null && !delivery.isTest;
  if (!isFatal) return moveOn(db(), attempt, result, verdict);
  return inTransaction(async (tx) => {
    const isMoved = await moveOn(tx, attempt, result, verdict);
    if (isMoved) await failRegistration(tx, delivery, attempt.number);
    return isMoved;
  });
}

async function moveOn(
  queryable: Queryable | Transaction,
  { deliveryId, round, number, startedAt }: ClaimedAttempt,
  result: EgressResponse | EgressFault,
  verdict: AttemptVerdict,
): Promise<boolean> {
  const response = "error" in result ? null : result;
  const { rows } = await queryable.query<{ isMoved: boolean }>({
    name: "record-attempt",
    text: RECORD_ATTEMPT,
    values: [
      deliveryId,
      round,
      number,
      startedAt,
      result.durationMs,
      response?.status ?? null,
      response ? JSON.stringify(response.headers) : null,
      response?.body ?? null,
      "error" in result ? `${result.error.code}: ${result.error.message}` : null,
      verdict.status,
      verdict.status === "pending" ? verdict.delaySeconds : null,
    ],
  });
  return rows[0]?.isMoved === true;
}

async function failRegistration(tx: Transaction, delivery: DeliveryToSend, attempts: number): Promise<void> {
  const { host } = new URL(delivery.url);
  const message =
    `The webhook to ${host} was switched off: ${attempts} attempts of one delivery failed. ` +
    "Deliveries are kept from now on. Set the receiver right, then switch the webhook on again.";
  await tx.query(FAIL_REGISTRATION, [
    delivery.registrationId,
    newId("alert"),
    message,
    JSON.stringify({ deliveryId: delivery.id, host, attempts }),
  ]);
}

import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseAway, isRefusedStatement } from "@/lib/db/failures";
import { hotDb, inTransaction, type Queryable, type Transaction } from "@/lib/db/pool";
import { againWhenTurnedBack } from "@/lib/db/turned-back";
import { newId } from "@/lib/domain/ids";
import type { EgressFault, EgressResponse } from "@/lib/net/egress-client";
import type { EgressError } from "@/lib/net/egress-failure";
import { processSingleton } from "@/lib/process-singleton";
import { type AttemptKey, attemptLeaseSeconds, type ClaimedAttempt } from "@/lib/services/deliveries/claim-attempt";
import type { DeliveryToSend } from "@/lib/services/deliveries/load-delivery";
import { together } from "@/lib/together";

/** What the attempt makes of its delivery. */
export type AttemptVerdict =
  | { status: "delivered" }
  | { status: "failed" }
  | { status: "pending"; delaySeconds: number };

/**
 * Ends attempts that are still the claimed ones, then moves their deliveries on where nobody else did. Those are held first, in
 * the order of lib/services/deliveries/lock-deliveries.ts. The time of the last
 * delivery is good to a second: every delivery would queue for the registration's row otherwise. The address is the one that
 * was called: the registration's may have changed meanwhile, or while the delivery was just being written down. What its
 * receiver took has arrived, also where the delivery was closed meanwhile, since its registration was deleted or is off.
 * `pending` is a parameter for the reason that lib/services/deliveries/claim-attempt.ts tells.
 */
const RECORD_ATTEMPTS = `
  WITH held AS MATERIALIZED (
    SELECT id FROM webhook_deliveries WHERE id = ANY ($1::text[]) ORDER BY id FOR NO KEY UPDATE),
  attempt AS (
    UPDATE webhook_attempts a SET duration_ms = k.duration_ms, response_status = k.response_status,
           response_headers = k.response_headers, response_body = k.response_body, error = k.error
    FROM unnest($1::text[], $2::int[], $3::int[], $4::timestamptz[], $5::int[], $6::int[], $7::jsonb[], $8::bytea[], $9::text[],
                $10::text[], $11::float8[], $13::text[])
      AS k (delivery_id, round, number, started_at, duration_ms, response_status, response_headers, response_body, error,
            status, delay, url)
    JOIN held ON held.id = k.delivery_id
    WHERE a.delivery_id = k.delivery_id AND a.round = k.round AND a.number = k.number AND a.started_at = k.started_at
      AND a.duration_ms IS NULL
    RETURNING k.delivery_id, k.round, k.number, k.status, k.delay, k.url),
  delivery AS (
    UPDATE webhook_deliveries d SET status = attempt.status, attempt_count = d.attempt_count + 1, url = attempt.url,
           next_attempt_at = now() + make_interval(secs => attempt.delay),
           delivered_at = CASE WHEN attempt.status = 'delivered' THEN now() END
    FROM attempt WHERE d.id = attempt.delivery_id AND d.round = attempt.round
      AND (d.status = $12 OR attempt.status = 'delivered')
    RETURNING d.id, d.round, attempt.number, d.status, d.registration_id),
  receiver AS (
    UPDATE webhook_registrations SET last_delivery_at = now()
    WHERE id IN (
      SELECT id FROM webhook_registrations
      WHERE id = ANY (ARRAY (SELECT registration_id FROM delivery WHERE status = 'delivered'))
        AND (last_delivery_at IS NULL OR last_delivery_at < now() - interval '1 second')
      ORDER BY id FOR NO KEY UPDATE))
  SELECT id AS "deliveryId", round, number FROM delivery`;

/**
 * Only the first of several deliveries that fail for good finds the registration active: one alert. None where its address was
 * changed during the attempt: the new one has failed nothing.
 */
const FAIL_REGISTRATION = `
  WITH failed AS (
    UPDATE webhook_registrations SET status = 'failed', failed_at = now(), updated_at = now()
    WHERE id = $1 AND status = 'active' AND url = $5
    RETURNING id, account_id, project_id)
  INSERT INTO alerts (id, account_id, project_id, kind, subject_id, message, data)
  SELECT $2, account_id, project_id, 'webhook.failed', id, $3, $4::jsonb FROM failed`;

const PATIENCE_STEP_MS = 250;

/**
 * Keeps what came of an attempt and moves its delivery on, in one transaction; after the last failure of a delivery its
 * registration is marked `failed` and its owner alerted (§6.4). While the database is away it tries on for as long as the
 * attempt is its own, and where the database turned it back it tries again: what was sent and is not written down is sent again.
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
  const made = { attempt, result, verdict, url: delivery.url };
  if (!isFatal) return moveOnTogether(made);
  return inTransaction(async (tx) => {
    const [isMoved = false] = await moveOn(tx, [made]);
    if (isMoved) await failRegistration(tx, delivery, attempt.number);
    return isMoved;
  });
}

interface MadeAttempt {
  attempt: ClaimedAttempt;
  /** Where it went. */
  url: string;
  result: EgressResponse | EgressFault;
  verdict: AttemptVerdict;
}

const MAX_TOGETHER = 50;

function moveOnTogether(made: MadeAttempt): Promise<boolean> {
  return processSingleton("record-attempts-together", () =>
    together({
      work: (several: MadeAttempt[]) => againWhenTurnedBack(() => moveOn(hotDb(), several)),
      max: MAX_TOGETHER,
      isRepeatable: isRefusedStatement,
    }),
  )(made);
}

async function moveOn(queryable: Queryable | Transaction, made: MadeAttempt[]): Promise<boolean[]> {
  const responses = made.map(({ result }) => ("error" in result ? null : result));
  const { rows } = await queryable.query<AttemptKey>({
    name: "record-attempts",
    text: RECORD_ATTEMPTS,
    values: [
      made.map(({ attempt }) => attempt.deliveryId),
      made.map(({ attempt }) => attempt.round),
      made.map(({ attempt }) => attempt.number),
      made.map(({ attempt }) => attempt.startedAt),
      made.map(({ result }) => result.durationMs),
      responses.map((response) => response?.status ?? null),
      responses.map((response) => response && JSON.stringify(response.headers)),
      responses.map((response) => response?.body ?? null),
      made.map(({ result }) => wordsOf("error" in result ? result.error : result.incomplete)),
      made.map(({ verdict }) => verdict.status),
      made.map(({ verdict }) => (verdict.status === "pending" ? verdict.delaySeconds : null)),
      "pending",
      made.map(({ url }) => url),
    ],
  });
  return made.map(({ attempt }) =>
    rows.some(
      (row) => row.deliveryId === attempt.deliveryId && row.round === attempt.round && row.number === attempt.number,
    ),
  );
}

function wordsOf(error: EgressError | undefined): string | null {
  return error ? `${error.code}: ${error.message}` : null;
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
    delivery.url,
  ]);
}

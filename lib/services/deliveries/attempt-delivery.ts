import { db } from "@/lib/db/pool";
import { nextDelaySeconds } from "@/lib/domain/webhook-schedule";
import { signatureHeaders } from "@/lib/domain/webhook-signature";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { observeDeliveryAttempt } from "@/lib/metrics";
import type { EgressFault, EgressResponse } from "@/lib/net/egress-client";
import { receiverEgress } from "@/lib/net/receiver-egress";
import { type AttemptKey, attemptLeaseSeconds, claimAttempt } from "@/lib/services/deliveries/claim-attempt";
import { type DeliveryToSend, loadDelivery, openSecrets } from "@/lib/services/deliveries/load-delivery";
import { type AttemptVerdict, recordAttempt } from "@/lib/services/deliveries/record-attempt";
import { OtherKeyError } from "@/lib/services/people/sealed-secret";

/**
 * What is to be done next. `retry`: call again with `nextNumber` after `delaySeconds`. `held`: not sent, and no one has
 * to come back to it; also when a person has started another round meanwhile. What is still pending then, the sweep hands over
 * again.
 */
export type AttemptOutcome =
  | { outcome: "delivered" | "failed" | "held" }
  | { outcome: "retry"; delaySeconds: number; nextNumber: number };

type Secrets = ReturnType<typeof openSecrets>;

const USER_AGENT = "Service-Webhooks/1.0";
const MAX_CLAIMS = 5;

/**
 * Makes one attempt of a delivery and records it (§6.3, §6.4). Safe to call again, also from several processes at
 * once: an attempt that was made is not made again, one that is being made is waited for, and one whose process died
 * is made by the next caller.
 * @param number 1 for the first attempt of the round
 * @throws Error for faults of this side alone (database, settings); receivers' faults are outcomes
 */
export async function attemptDelivery(deliveryId: string, round: number, number: number): Promise<AttemptOutcome> {
  const key = { deliveryId, round, number };
  const egress = receiverEgress();
  for (let claims = 0; claims < MAX_CLAIMS; claims += 1) {
    const delivery = await loadDelivery(key);
    // Erased meanwhile.
    if (!delivery) return { outcome: "failed" };
    const settled = await settleWithoutSending(delivery, key);
    if (settled) return settled;
    const secrets = secretsOf(delivery);
    if (secrets === null) return { outcome: "held" };
    const body = Buffer.from(delivery.body, "utf8");
    const headers = deliveryHeaders(delivery, secrets, body);
    const attempt = await claimAttempt(key, headers);
    // Someone else was quicker, or the state has changed: look again.
    if (!attempt) continue;
    const result = await egress.post(delivery.url, { headers, body });
    observeDeliveryAttempt(outcomeName(result), result.durationMs / 1_000);
    const verdict = judge(delivery, number, result);
    const isMoved = await recordAttempt(delivery, attempt, result, verdict);
    if (isMoved) logFailure(delivery, number, result, verdict);
    return isMoved ? outcomeOf(verdict, number) : { outcome: "held" };
  }
  throw new Error(`Attempt ${number} of delivery ${deliveryId} could not be claimed.`);
}

/** The outcome of an attempt that was made, is being made or may not be made; null when it is to be made now. */
async function settleWithoutSending(
  delivery: DeliveryToSend,
  { round, number }: AttemptKey,
): Promise<AttemptOutcome | null> {
  if (delivery.round !== round) return { outcome: "held" };
  if (delivery.status !== "pending") return { outcome: delivery.status };
  if (delivery.attempt?.isEnded) {
    return { outcome: "retry", delaySeconds: delivery.dueInSeconds, nextNumber: number + 1 };
  }
  const remainingSeconds = delivery.attempt ? attemptLeaseSeconds() - delivery.attempt.ageSeconds : 0;
  if (remainingSeconds > 0) return { outcome: "retry", delaySeconds: remainingSeconds, nextNumber: number };
  if (delivery.receiverStatus === "gone") return closeUnsent(delivery, "failed");
  const isOn = delivery.receiverStatus === null || delivery.receiverStatus === "active" || delivery.isTest;
  return isOn ? null : closeUnsent(delivery, "held");
}

/** Nothing goes to a receiver that failed or was switched off; what was meant for it is kept (contract §8). */
async function closeUnsent({ id, round }: DeliveryToSend, outcome: "failed" | "held"): Promise<AttemptOutcome> {
  await db().query(
    `UPDATE webhook_deliveries SET status = $3, next_attempt_at = NULL
     WHERE id = $1 AND round = $2 AND status = 'pending'`,
    [id, round, outcome],
  );
  return { outcome };
}

/**
 * Null where no key opens the newest: it waits until the key is put back or its owner makes a new one. To fail would have the
 * queue keep each of its tries for hours, and the sweep put one more beside them every two minutes.
 */
function secretsOf(delivery: DeliveryToSend): Secrets | null {
  try {
    return openSecrets(delivery);
  } catch (error) {
    if (!(error instanceof OtherKeyError)) throw error;
    log("error", "A delivery waits: its secret cannot be opened.", { deliveryId: delivery.id }, error);
    return null;
  }
}

/** Everything that is sent but the body; holds signatures, never a secret. */
function deliveryHeaders(delivery: DeliveryToSend, secrets: Secrets, body: Uint8Array): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "X-Service-Event": delivery.event,
    "X-Service-Delivery": delivery.deliveryUuid,
    ...signatureHeaders({
      deliveryUuid: delivery.deliveryUuid,
      body,
      secrets,
      sentAt: delivery.asOf,
    }),
  };
}

/** "2xx", or our code of why nothing came back. */
function outcomeName(result: EgressResponse | EgressFault): string {
  return "error" in result ? result.error.code : `${Math.floor(result.status / 100)}xx`;
}

/** Says whose call it was and what came back; neither the receiver's address nor a word of either side. */
function logFailure(
  { id, requestId, sessionId, turnId }: DeliveryToSend,
  attempt: number,
  result: EgressResponse | EgressFault,
  { status }: AttemptVerdict,
): void {
  if (status === "delivered") return;
  // A text either way: collectors of logs take one type for a field, and drop lines with another.
  const outcome = "error" in result ? result.error.code : String(result.status);
  const fields = { requestId, sessionId, turnId, deliveryId: id, attempt, outcome };
  if (status === "failed") log("warn", "A delivery failed for good.", fields);
  else log("info", "A delivery failed; it is tried again.", fields);
}

function judge(delivery: DeliveryToSend, number: number, result: EgressResponse | EgressFault): AttemptVerdict {
  if ("status" in result && result.status >= 200 && result.status < 300) return { status: "delivered" };
  // A test tells its owner at once how it went: one attempt.
  const delays = delivery.isTest ? [] : env().WEBHOOK_RETRY_DELAYS_SECONDS;
  const delaySeconds = nextDelaySeconds(number, delays);
  return delaySeconds === null ? { status: "failed" } : { status: "pending", delaySeconds };
}

function outcomeOf(verdict: AttemptVerdict, number: number): AttemptOutcome {
  if (verdict.status !== "pending") return { outcome: verdict.status };
  return { outcome: "retry", delaySeconds: verdict.delaySeconds, nextNumber: number + 1 };
}

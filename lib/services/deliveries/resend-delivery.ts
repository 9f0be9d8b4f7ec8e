import { enqueueEvents } from "@/lib/db/outbox";
import { inTransaction, type Transaction } from "@/lib/db/pool";
import { AppError, notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { type ReadyDelivery, readyColumns, readyEvent } from "@/lib/services/deliveries/ready-event";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** What begins a new round: the schedule starts anew, to the address that the registration has now. */
export const NEW_ROUND = `
  round = d.round + 1, status = 'pending', next_attempt_at = now(), delivered_at = NULL,
  url = coalesce((SELECT r.url FROM webhook_registrations r WHERE r.id = d.registration_id), d.url)`;

const RESEND_ONE = `
  UPDATE webhook_deliveries d SET ${NEW_ROUND} WHERE d.id = $1
  RETURNING ${readyColumns("d")}`;

const FIND_RECEIVER = `
  SELECT d.is_test AS "isTest", d.registration_id AS "registrationId", r.status
  FROM webhook_deliveries d LEFT JOIN webhook_registrations r ON r.id = d.registration_id AND r.project_id = d.project_id
  WHERE d.id = $1 AND d.account_id = $2 AND d.project_id = $3
  FOR UPDATE OF d`;

/**
 * Sends a delivery again, whatever became of it: a new round of attempts with the same bytes and the same
 * `X-Service-Delivery`. What was still planned of the round before is given up.
 * @param record runs in the transaction of the change, for the audit log
 * @returns the new round
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when its receiver is switched off, failed or deleted
 */
export async function resendDelivery(
  { accountId, projectId }: Pick<Principal, "accountId" | "projectId">,
  id: string,
  record: (tx: Transaction, round: number) => Promise<void> = async () => {},
): Promise<{ round: number }> {
  const newRound = await inTransaction(async (tx) => {
    await assertReceiverIsOn(tx, id, accountId, projectId);
    const { rows } = await tx.query<ReadyDelivery>(RESEND_ONE, [id]);
    await enqueueEvents(tx, rows.map(readyEvent));
    const round = rows[0]?.round ?? 0;
    await record(tx, round);
    return round;
  });
  wakeRelay();
  return { round: newRound };
}

/**
 * The same for a person of the account, with a line in its audit log.
 * @throws as `resendDelivery`
 */
export function resendForPerson(
  actor: Actor,
  owner: Pick<Principal, "accountId" | "projectId">,
  id: string,
): Promise<{ round: number }> {
  const { accountId } = owner;
  return resendDelivery(owner, id, (tx, round) =>
    writeAudit(tx, actor, { accountId, action: "delivery.resend", subject: id, after: { round } }),
  );
}

async function assertReceiverIsOn(tx: Transaction, id: string, accountId: string, projectId: string): Promise<void> {
  const { rows } = await tx.query<{ isTest: boolean; registrationId: string | null; status: string | null }>(
    FIND_RECEIVER,
    [id, accountId, projectId],
  );
  const [receiver] = rows;
  if (!receiver) throw notFound("The delivery");
  if (receiver.registrationId === null || receiver.status === "active") return;
  if (receiver.status === null) throw receiverIsOff("was deleted. Register it again to receive new events");
  if (!receiver.isTest) throw receiverIsOff("is switched off. Switch it on, then send again");
}

/** Says why nothing can be sent to a registration. */
export function receiverIsOff(why: string): AppError {
  return new AppError("VALIDATION_FAILED", `The webhook ${why}.`);
}

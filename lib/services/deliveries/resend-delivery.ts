import { enqueueEvents } from "@/lib/db/outbox";
import { inTransaction, type Transaction } from "@/lib/db/pool";
import { changedMeanwhile } from "@/lib/domain/changed-meanwhile";
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
  SELECT d.is_test AS "isTest", d.registration_id AS "registrationId", d.status, d.round, r.status AS "receiverStatus"
  FROM webhook_deliveries d LEFT JOIN webhook_registrations r ON r.id = d.registration_id AND r.project_id = d.project_id
  WHERE d.id = $1 AND d.account_id = $2 AND d.project_id = $3
  FOR UPDATE OF d`;

/** A delivery as it was before. */
interface Before {
  status: string;
  round: number;
}

interface ResendOptions {
  /** The round that whoever sends it again saw; absent (tests): whichever it is. */
  seen?: number | undefined;
  /** Runs in the transaction of the change, for the audit log. */
  record?: (tx: Transaction, round: number, before: Before) => Promise<void>;
}

/**
 * Sends a delivery again, whatever became of it: a new round of attempts with the same bytes and the same
 * `X-Service-Delivery`. What was still planned of the round before is given up.
 * @returns the new round
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when its receiver is switched off, failed or deleted, and when somebody else sent it
 *   again since
 */
export async function resendDelivery(
  { accountId, projectId }: Pick<Principal, "accountId" | "projectId">,
  id: string,
  { seen, record }: ResendOptions = {},
): Promise<{ round: number }> {
  const newRound = await inTransaction(async (tx) => {
    const before = await lockDelivery(tx, id, accountId, projectId);
    if (seen !== undefined && before.round !== seen) throw changedMeanwhile("it was sent again", "page");
    const { rows } = await tx.query<ReadyDelivery>(RESEND_ONE, [id]);
    await enqueueEvents(tx, rows.map(readyEvent));
    const round = rows[0]?.round ?? 0;
    await record?.(tx, round, before);
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
  seen?: number,
): Promise<{ round: number }> {
  const { accountId } = owner;
  return resendDelivery(owner, id, {
    seen,
    record: (tx, round, { round: before }) =>
      writeAudit(tx, actor, {
        accountId,
        action: "delivery.resend",
        subject: id,
        before: { round: before },
        after: { round },
      }),
  });
}

interface LockedDelivery extends Before {
  isTest: boolean;
  registrationId: string | null;
  receiverStatus: string | null;
}

async function lockDelivery(tx: Transaction, id: string, accountId: string, projectId: string): Promise<Before> {
  const { rows } = await tx.query<LockedDelivery>(FIND_RECEIVER, [id, accountId, projectId]);
  const [delivery] = rows;
  if (!delivery) throw notFound("The delivery");
  const { isTest, registrationId, receiverStatus, status, round } = delivery;
  if (registrationId !== null && receiverStatus !== "active") {
    if (receiverStatus === null) throw receiverIsOff("was deleted. Register it again to receive new events");
    if (!isTest) throw receiverIsOff("is switched off. Switch it on, then send again");
  }
  return { status, round };
}

/** Says why nothing can be sent to a registration. */
export function receiverIsOff(why: string): AppError {
  return new AppError("VALIDATION_FAILED", `The webhook ${why}.`);
}

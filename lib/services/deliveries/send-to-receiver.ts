import type { OtherReceiver } from "@/lib/contracts/deliveries";
import { db, inTransaction, type Transaction } from "@/lib/db/pool";
import { AppError, notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { copyDeliveries, keyFor } from "@/lib/services/deliveries/copy-deliveries";
import { receiverIsOff } from "@/lib/services/deliveries/resend-delivery";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

const OTHER_RECEIVERS = `
  SELECT r.id, r.url
  FROM webhook_deliveries d
  JOIN webhook_registrations r ON r.account_id = d.account_id AND r.project_id = d.project_id
    AND r.active AND r.status = 'active' AND d.event = ANY (r.events) AND r.id IS DISTINCT FROM d.registration_id
  WHERE d.id = $1 AND d.account_id = $2 AND d.project_id = $3 AND NOT d.is_test
    AND NOT EXISTS (SELECT FROM webhook_deliveries own WHERE own.dedupe_key = ${keyFor("d", "r.id")})
  ORDER BY r.created_at DESC, r.id DESC`;

/** Who could be sent the event of a delivery: active webhooks of its project that take this kind and have not got it, newest first. */
export async function listOtherReceivers(
  { accountId, projectId }: ProjectScope,
  deliveryId: string,
): Promise<OtherReceiver[]> {
  const { rows } = await db().query<OtherReceiver>(OTHER_RECEIVERS, [deliveryId, accountId, projectId]);
  return rows;
}

/**
 * Sends the event of a delivery to another receiver of its project too, as a delivery of its own. One that has it already gets
 * nothing: then it is that delivery which is told.
 * @returns the id of the receiver's delivery
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when the webhook is not active or does not take such events, and for test events
 */
export async function sendToReceiver(
  actor: Actor,
  scope: ProjectScope,
  { deliveryId, webhookId }: { deliveryId: string; webhookId: string },
): Promise<{ deliveryId: string }> {
  const id = await inTransaction(async (tx) => {
    await assertMayBeSent(tx, scope, deliveryId, webhookId);
    const [copyId] = await copyDeliveries(tx, scope, webhookId, [deliveryId]);
    if (!copyId) return findExisting(tx, scope, deliveryId, webhookId);
    await writeAudit(tx, actor, {
      accountId: scope.accountId,
      action: "delivery.send-to-receiver",
      subject: copyId,
      after: { webhookId, copyOf: deliveryId },
    });
    return copyId;
  });
  wakeRelay();
  return { deliveryId: id };
}

const FIND_BOTH = `
  SELECT d.event, d.is_test AS "isTest", r.status, d.event = ANY (r.events) AS "isTaken"
  FROM webhook_deliveries d
  LEFT JOIN webhook_registrations r ON r.id = $4 AND r.account_id = d.account_id AND r.project_id = d.project_id
  WHERE d.id = $1 AND d.account_id = $2 AND d.project_id = $3`;

async function assertMayBeSent(
  tx: Transaction,
  { accountId, projectId }: ProjectScope,
  deliveryId: string,
  webhookId: string,
): Promise<void> {
  const { rows } = await tx.query<{ event: string; isTest: boolean; status: string | null; isTaken: boolean | null }>(
    FIND_BOTH,
    [deliveryId, accountId, projectId, webhookId],
  );
  const [found] = rows;
  if (!found) throw notFound("The delivery");
  if (found.status === null) throw notFound("The webhook");
  if (found.isTest) throw new AppError("VALIDATION_FAILED", "A test event is for the receiver that it tries out.");
  if (found.status !== "active") throw receiverIsOff("is switched off. Switch it on, then send");
  if (!found.isTaken)
    throw receiverIsOff(`does not take ${found.event} events. Choose them in its settings, then send`);
}

async function findExisting(
  tx: Transaction,
  { accountId, projectId }: ProjectScope,
  deliveryId: string,
  webhookId: string,
): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT own.id FROM webhook_deliveries d
     JOIN webhook_deliveries own ON own.account_id = d.account_id AND own.project_id = d.project_id
       AND own.dedupe_key = ${keyFor("d", "$4")}
     WHERE d.id = $1 AND d.account_id = $2 AND d.project_id = $3`,
    [deliveryId, accountId, projectId, webhookId],
  );
  // Erased, or its receiver switched off, in this very moment.
  if (!rows[0]) throw notFound("The delivery");
  return rows[0].id;
}

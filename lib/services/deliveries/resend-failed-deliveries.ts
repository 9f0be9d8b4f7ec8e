import { enqueueBehind } from "@/lib/db/outbox";
import { db, inTransaction, type Transaction } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { type ReadyDelivery, readyColumns, readyEvent } from "@/lib/services/deliveries/ready-event";
import { NEW_ROUND, receiverIsOff } from "@/lib/services/deliveries/resend-delivery";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

/** By id, which is by age; each once, also when it fails again while the others are on their way. */
const RESEND_BATCH = `
  WITH batch AS (
    SELECT id FROM webhook_deliveries
    WHERE registration_id = $1 AND project_id = $2 AND status IN ('failed', 'held') AND NOT is_test AND id > $3
    ORDER BY id LIMIT $4 FOR UPDATE)
  UPDATE webhook_deliveries d SET ${NEW_ROUND} FROM batch WHERE d.id = batch.id
  RETURNING ${readyColumns("d")}`;

/**
 * Sends everything again that a registration did not get, failed and held back alike, oldest first; test events not.
 * @param options.batchSize deliveries of one transaction
 * @param options.actor the person, for the audit log: a line for each batch
 * @returns how many were handed over
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when the registration is not active
 */
export async function resendFailedDeliveries(
  { accountId, projectId }: Pick<Principal, "accountId" | "projectId">,
  webhookId: string,
  { batchSize = 500, actor }: { batchSize?: number; actor?: Actor } = {},
): Promise<number> {
  const { rows } = await db().query<{ status: string }>(
    "SELECT status FROM webhook_registrations WHERE id = $1 AND account_id = $2 AND project_id = $3",
    [webhookId, accountId, projectId],
  );
  if (!rows[0]) throw notFound("The webhook");
  if (rows[0].status !== "active") throw receiverIsOff("is switched off. Switch it on, then send again");
  for (let count = 0, after = ""; ; ) {
    const batch = await resendBatch([webhookId, projectId, after, batchSize], async (tx, handedOver) => {
      if (!actor || handedOver === 0) return;
      const line = {
        accountId,
        action: "delivery.resend-failed",
        subject: webhookId,
        after: { deliveries: handedOver },
      };
      await writeAudit(tx, actor, line);
    });
    count += batch.length;
    if (batch.length < batchSize) return count;
    after = batch.at(-1) ?? after;
  }
}

/** The ids, in order. */
async function resendBatch(
  values: unknown[],
  record: (tx: Transaction, handedOver: number) => Promise<void>,
): Promise<string[]> {
  const ids = await inTransaction(async (tx) => {
    const { rows } = await tx.query<ReadyDelivery>(RESEND_BATCH, values);
    rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    await enqueueBehind(tx, rows.map(readyEvent));
    await record(tx, rows.length);
    return rows.map(({ id }) => id);
  });
  wakeRelay();
  return ids;
}

import type { Webhook } from "@/lib/contracts/webhooks";
import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { lockWebhook } from "@/lib/services/webhooks/find-webhook";
import { resolveWebhookAlerts } from "@/lib/services/webhooks/resolve-webhook-alerts";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";
import { toWebhook } from "@/lib/services/webhooks/webhook-row";

/**
 * Switches a registration on again, after a failure or after it was switched off (contract §8). New events are sent
 * from now on; what was held back stays so until it is sent again. A registration that is on stays as it is.
 * @throws AppError NOT_FOUND
 */
export async function reactivateWebhook(actor: Actor, owner: WebhookOwner, id: string): Promise<Webhook> {
  return prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, owner.accountId, "webhooks.reactivate");
    const before = await lockWebhook(tx, owner, id);
    if (before.status === "active") return toWebhook(before);
    const row = await tx.webhookRegistration.update({
      where: { id: before.id },
      data: { status: "active", active: true, failedAt: null, updatedAt: await databaseNow(tx) },
    });
    await resolveWebhookAlerts(tx, owner, id);
    await recordAudit(tx, actor, {
      accountId: owner.accountId,
      action: "webhook.reactivate",
      subject: id,
      before: { status: before.status },
      after: { status: row.status },
    });
    return toWebhook(row);
  });
}

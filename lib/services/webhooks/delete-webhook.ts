import { prisma } from "@/lib/db/prisma";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { lockOpenDeliveries } from "@/lib/services/deliveries/lock-deliveries";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { findWebhook, lockWebhook } from "@/lib/services/webhooks/find-webhook";
import { resolveWebhookAlerts } from "@/lib/services/webhooks/resolve-webhook-alerts";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";

/**
 * Removes a registration with its secrets. Its deliveries stay in the log; what was not delivered never will be.
 * @throws AppError NOT_FOUND
 */
export async function deleteWebhook(actor: Actor, owner: WebhookOwner, id: string): Promise<void> {
  await prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, owner.accountId, "webhooks.delete");
    await findWebhook(owner, id, tx);
    // Before the registration is locked: whoever records an attempt takes the delivery first, then its registration.
    await lockOpenDeliveries(tx, { projectId: owner.projectId, registrationId: id });
    await tx.webhookDelivery.updateMany({
      where: { registrationId: id, projectId: owner.projectId, status: { in: ["pending", "held"] } },
      data: { status: "failed", nextAttemptAt: null },
    });
    const { url, events } = await lockWebhook(tx, owner, id);
    await tx.webhookRegistration.delete({ where: { id } });
    await resolveWebhookAlerts(tx, owner, id);
    await recordAudit(tx, actor, {
      accountId: owner.accountId,
      action: "webhook.delete",
      subject: id,
      before: { url, events },
    });
  });
}

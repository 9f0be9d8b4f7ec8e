import type { Prisma } from "@/lib/db/generated/client";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";

/** Ends the alerts that told of a registration's failure, in the transaction that ends the failure. */
export async function resolveWebhookAlerts(
  tx: Prisma.TransactionClient,
  { accountId }: WebhookOwner,
  webhookId: string,
): Promise<void> {
  await tx.alert.updateMany({
    where: { accountId, kind: "webhook.failed", subjectId: webhookId, resolvedAt: null },
    data: { resolvedAt: new Date() },
  });
}

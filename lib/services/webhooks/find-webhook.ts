import type { Prisma, WebhookRegistration } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";

/**
 * A registration of the owner's project.
 * @throws AppError NOT_FOUND
 */
export async function findWebhook(
  { accountId, projectId }: WebhookOwner,
  id: string,
  on: Prisma.TransactionClient = prisma(),
): Promise<WebhookRegistration> {
  // The database fails at looking for a NUL, which an address may have.
  if (!isId("webhook", id)) throw notFound("The webhook");
  const row = await on.webhookRegistration.findFirst({ where: { id, accountId, projectId } });
  if (!row) throw notFound("The webhook");
  return row;
}

/**
 * The same, locked until the caller's transaction ends, so that no attempt marks it failed in between.
 * @throws AppError NOT_FOUND
 */
export async function lockWebhook(
  tx: Prisma.TransactionClient,
  owner: WebhookOwner,
  id: string,
): Promise<WebhookRegistration> {
  await tx.$queryRaw`SELECT 1 FROM webhook_registrations
    WHERE id = ${id} AND account_id = ${owner.accountId} AND project_id = ${owner.projectId} FOR UPDATE`;
  return findWebhook(owner, id, tx);
}

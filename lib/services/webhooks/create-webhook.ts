import type { CreatedWebhook, CreateWebhookBody } from "@/lib/contracts/webhooks";
import type { Prisma } from "@/lib/db/generated/client";
import { prisma, withinPrisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { MAX_WEBHOOKS } from "@/lib/domain/limits";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import type { IdempotencyClaim } from "@/lib/services/idempotency/idempotency-claim";
import { keepResponse } from "@/lib/services/idempotency/keep-response";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { lockProject } from "@/lib/services/projects/find-project";
import { checkWebhookUrl } from "@/lib/services/webhooks/check-webhook-url";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";
import { toWebhook } from "@/lib/services/webhooks/webhook-row";
import { makeWebhookSecret } from "@/lib/services/webhooks/webhook-secret";

/**
 * Registers a receiver for events of the owner's project (§4.8). The answer holds the secret.
 * @param actor the person, for the audit log; absent for API calls, which are in the call log
 * @throws AppError URL_NOT_HTTPS, URL_NOT_ALLOWED, VALIDATION_FAILED when the project has as many as it may have
 */
export async function createWebhook(
  { accountId, projectId }: WebhookOwner,
  { url, events, active }: CreateWebhookBody,
  actor?: Actor,
  idempotency?: IdempotencyClaim,
): Promise<CreatedWebhook> {
  checkWebhookUrl(url);
  const { secret, sealed } = makeWebhookSecret();
  const status = active ? "active" : "inactive";
  const created = await prisma().$transaction(async (tx) => {
    if (actor) await assertStillMay(tx, actor, accountId, "webhooks.create");
    // Registrations of one project go one after another, so that none slips past the limit.
    await lockProject(tx, { accountId, projectId });
    await checkRoom(tx, projectId);
    const row = await tx.webhookRegistration.create({
      data: { id: newId("webhook"), accountId, projectId, url, events, active, status, secretEncrypted: sealed },
    });
    if (actor) {
      await recordAudit(tx, actor, {
        accountId,
        action: "webhook.create",
        subject: row.id,
        after: { url, events, active },
      });
      await tellOwners(tx, actor, accountId, {
        action: "webhook.create",
        projectId,
        webhookId: row.id,
        host: new URL(url).host,
      });
    }
    const answer = { ...toWebhook(row), secret };
    if (idempotency) await keepResponse(withinPrisma(tx), idempotency, answer);
    return answer;
  });
  if (actor) wakeRelay();
  return created;
}

async function checkRoom(tx: Prisma.TransactionClient, projectId: string): Promise<void> {
  if ((await tx.webhookRegistration.count({ where: { projectId } })) < MAX_WEBHOOKS) return;
  throw new AppError(
    "VALIDATION_FAILED",
    `A project has at most ${MAX_WEBHOOKS} webhooks. Delete one that is no longer needed, or change one, in the panel.`,
  );
}

import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { findProject } from "@/lib/services/projects/find-project";
import type { WebhookSecrets } from "@/lib/services/webhooks/show-webhook-secret";
import { openSecretBefore, openWebhookSecret } from "@/lib/services/webhooks/webhook-secret";

/**
 * Shows the secret that signs the project's callbacks (contract §8); who looked is in the audit log.
 * @throws AppError NOT_FOUND
 */
export async function showCallbackSecret(actor: Actor, scope: ProjectScope): Promise<WebhookSecrets> {
  return prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, scope.accountId, "webhooks.secret.show");
    const project = await findProject(scope, tx);
    await recordAudit(tx, actor, {
      accountId: scope.accountId,
      action: "project.show-callback-secret",
      subject: project.id,
    });
    const now = await databaseNow(tx);
    const { previousCallbackSecretEncrypted: sealed, previousCallbackSecretUntil: until } = project;
    const before = sealed !== null && until !== null && until > now ? openSecretBefore(sealed) : null;
    return {
      secret: openWebhookSecret(project.callbackSecretEncrypted),
      previous: before !== null && until !== null ? { secret: before, validUntil: until.toISOString() } : null,
    };
  });
}

import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { findWebhook } from "@/lib/services/webhooks/find-webhook";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";
import { openSecretBefore, openWebhookSecret } from "@/lib/services/webhooks/webhook-secret";

/** The secrets that sign a registration's deliveries at present. */
export interface WebhookSecrets {
  secret: string;
  /** During a rotation: the one before, which signs beside the new one until `validUntil`. */
  previous: { secret: string; validUntil: string } | null;
}

/**
 * Shows a registration's secret again; who looked is in the audit log.
 * @throws AppError NOT_FOUND
 */
export async function showWebhookSecret(
  actor: Actor,
  owner: WebhookOwner,
  id: string,
  at?: Date,
): Promise<WebhookSecrets> {
  return prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, owner.accountId, "webhooks.secret.show");
    const row = await findWebhook(owner, id, tx);
    await recordAudit(tx, actor, { accountId: owner.accountId, action: "webhook.show-secret", subject: id });
    const now = at ?? (await databaseNow(tx));
    const { previousSecretEncrypted: sealed, previousSecretUntil: until } = row;
    const before = sealed !== null && until !== null && until > now ? openSecretBefore(sealed) : null;
    return {
      secret: openWebhookSecret(row.secretEncrypted),
      previous: before !== null && until !== null ? { secret: before, validUntil: until.toISOString() } : null,
    };
  });
}

import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { SECRET_OVERLAP_MS } from "@/lib/domain/webhook-signature";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { lockWebhook } from "@/lib/services/webhooks/find-webhook";
import { assertOverlapSeen, type RotateOptions } from "@/lib/services/webhooks/secret-overlap";
import type { WebhookOwner } from "@/lib/services/webhooks/webhook-owner";
import { makeWebhookSecret } from "@/lib/services/webhooks/webhook-secret";

/** A new secret; the one before it signs too until `previousValidUntil`. */
export interface RotatedSecret {
  secret: string;
  previousValidUntil: string;
}

/**
 * Gives a registration a new secret. For 24 hours both sign: the new one in `X-Service-Signature`, both in
 * `webhook-signature`. Rotating again within that time ends the oldest at once.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when it was rotated since `seen`
 */
export async function rotateWebhookSecret(
  actor: Actor,
  owner: WebhookOwner,
  id: string,
  { now: at, seen }: RotateOptions = {},
): Promise<RotatedSecret> {
  const { secret, sealed } = makeWebhookSecret();
  const previousSecretUntil = await prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, owner.accountId, "webhooks.secret.rotate");
    const before = await lockWebhook(tx, owner, id);
    assertOverlapSeen(before.previousSecretUntil, seen);
    const now = at ?? (await databaseNow(tx));
    const until = new Date(now.getTime() + SECRET_OVERLAP_MS);
    await tx.webhookRegistration.update({
      where: { id: before.id },
      data: {
        secretEncrypted: sealed,
        previousSecretEncrypted: before.secretEncrypted,
        previousSecretUntil: until,
        updatedAt: now,
      },
    });
    await recordAudit(tx, actor, { accountId: owner.accountId, action: "webhook.rotate-secret", subject: id });
    const { projectId } = before;
    await tellOwners(tx, actor, owner.accountId, { action: "webhook.rotate-secret", projectId, webhookId: id });
    return until;
  });
  wakeRelay();
  return { secret, previousValidUntil: previousSecretUntil.toISOString() };
}

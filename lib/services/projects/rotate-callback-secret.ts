import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import type { ProjectScope } from "@/lib/domain/principal";
import { SECRET_OVERLAP_MS } from "@/lib/domain/webhook-signature";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { lockProject } from "@/lib/services/projects/find-project";
import type { RotatedSecret } from "@/lib/services/webhooks/rotate-webhook-secret";
import { assertOverlapSeen, type RotateOptions } from "@/lib/services/webhooks/secret-overlap";
import { makeWebhookSecret } from "@/lib/services/webhooks/webhook-secret";

/**
 * Gives a project a new callback secret. For 24 hours both sign, as with registrations: the new one in
 * `X-Service-Signature`, both in `webhook-signature` (contract §8). Rotating again within that time ends the oldest at once.
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when it was rotated since `seen`
 */
export async function rotateCallbackSecret(
  actor: Actor,
  scope: ProjectScope,
  { now: at, seen }: RotateOptions = {},
): Promise<RotatedSecret> {
  const { secret, sealed } = makeWebhookSecret();
  const previousCallbackSecretUntil = await prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, scope.accountId, "webhooks.secret.rotate");
    const before = await lockProject(tx, scope);
    assertOverlapSeen(before.previousCallbackSecretUntil, seen);
    const until = new Date((at ?? (await databaseNow(tx))).getTime() + SECRET_OVERLAP_MS);
    await tx.project.update({
      where: { id: before.id },
      data: {
        callbackSecretEncrypted: sealed,
        previousCallbackSecretEncrypted: before.callbackSecretEncrypted,
        previousCallbackSecretUntil: until,
      },
    });
    await recordAudit(tx, actor, {
      accountId: scope.accountId,
      action: "project.rotate-callback-secret",
      subject: before.id,
    });
    const { id: projectId, name: project } = before;
    await tellOwners(tx, actor, scope.accountId, { action: "project.rotate-callback-secret", projectId, project });
    return until;
  });
  wakeRelay();
  return { secret, previousValidUntil: previousCallbackSecretUntil.toISOString() };
}

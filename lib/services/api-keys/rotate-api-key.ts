import type { RotateKeyInput } from "@/lib/contracts/api-keys";
import { databaseNow } from "@/lib/db/database-now";
import type { ApiKey } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { apiKeyHint } from "@/lib/domain/api-key";
import { apiKeyStatus } from "@/lib/domain/api-key-status";
import { AppError, notFound } from "@/lib/domain/errors";
import type { Permission } from "@/lib/domain/permissions";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { type CreatedApiKey, checkLiveKeys, insertApiKey, lockForNewKey } from "@/lib/services/api-keys/insert-api-key";
import { tellOwners } from "@/lib/services/members/tell-owners";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";

const HOUR_MS = 3_600_000;

/** The key that takes over, shown once, and how long the one before it goes on taking calls. */
export interface RotatedApiKey extends CreatedApiKey {
  previous: { keyId: string; expiresAt: Date };
}

/**
 * Replaces a key by a new one of the same name, permissions, lifetime and limits. The old one takes calls until the overlap ends,
 * or its own end if that comes first, so that clients can move without a gap (§5.9). Owners are told of it by mail.
 * @throws AppError NOT_FOUND, B2B_NOT_VERIFIED; VALIDATION_FAILED when the key takes no calls or was replaced already,
 *   or when an overlap would leave the account with more keys in use than it may have
 */
export async function rotateApiKey(
  actor: Actor,
  scope: ProjectScope,
  { keyId, overlapHours }: RotateKeyInput,
  at?: Date,
): Promise<RotatedApiKey> {
  const rotated = await prisma().$transaction(async (tx) => {
    // By the clock that decides at each call: by that of a machine which is ahead the old key would outlive its end.
    const now = at ?? (await databaseNow(tx));
    await lockForNewKey(tx, actor, scope.accountId, "keys.rotate");
    // Locked, so that it is not revoked in between. Rotations of one account go one after another by its own lock.
    await tx.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${keyId} AND account_id = ${scope.accountId}
      AND project_id = ${scope.projectId} FOR UPDATE`;
    const old = await tx.apiKey.findFirst({ where: { id: keyId, ...scopeOf(scope) } });
    if (!old) throw notFound("The key");
    assertRotatable(old, now);
    const fields = {
      name: old.name,
      permissions: old.permissions as Permission[],
      creditsPerMonth: old.creditsPerMonth,
      allowedNetworks: old.allowedNetworks,
      expiresAt: old.expiresAt && new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime()),
    };
    const created = await insertApiKey(tx, actor, scope, fields, now);
    const overlapEnd = new Date(now.getTime() + overlapHours * HOUR_MS);
    const expiresAt = old.expiresAt && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
    await tx.apiKey.update({ where: { id: keyId }, data: { expiresAt, replacedById: created.keyId } });
    await checkLiveKeys(tx, scope.accountId, now);
    await recordAudit(tx, actor, {
      accountId: scope.accountId,
      action: "key.rotate",
      subject: keyId,
      before: { expiresAt: old.expiresAt?.toISOString() ?? null },
      after: { expiresAt: expiresAt.toISOString(), replacedById: created.keyId },
    });
    const hint = apiKeyHint(created.apiKey);
    const { projectId } = scope;
    await tellOwners(tx, actor, scope.accountId, { action: "key.rotate", projectId, name: old.name, hint });
    return { ...created, previous: { keyId, expiresAt } };
  });
  wakeRelay();
  return rotated;
}

/** The scope alone, whatever else the caller's object holds. */
function scopeOf({ accountId, projectId }: ProjectScope): ProjectScope {
  return { accountId, projectId };
}

function assertRotatable(key: ApiKey, now: Date): void {
  const status = apiKeyStatus(key, now);
  if (status === "active") return;
  const message =
    status === "retiring"
      ? "This key was replaced already: rotate the one that took over."
      : `This key is ${status}: create a new one.`;
  throw new AppError("VALIDATION_FAILED", message, { param: "keyId" });
}

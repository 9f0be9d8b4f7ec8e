import type { Prisma } from "@/lib/db/generated/client";
import { apiKeyHint, hashApiKey, newApiKey } from "@/lib/domain/api-key";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { MAX_LIVE_KEYS } from "@/lib/domain/limits";
import type { Permission } from "@/lib/domain/permissions";
import { isPlaygroundKey } from "@/lib/domain/playground-key";
import type { ProjectScope } from "@/lib/domain/principal";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";
import { resolveVerificationAlerts } from "@/lib/services/verification/alert-owner";

/** A new key; `apiKey` is shown once and kept nowhere (§2.4). */
export interface CreatedApiKey {
  keyId: string;
  apiKey: string;
  permissions: Permission[];
  expiresAt: Date | null;
}

/** What is kept of a key beside its hash. */
export interface ApiKeyFields {
  name: string;
  permissions: Permission[];
  expiresAt: Date | null;
  /** Null: no limit. */
  creditsPerMonth: number | null;
  /** None: from anywhere. */
  allowedNetworks: string[];
}

/**
 * Locks the account until the caller's transaction ends, if it may have new keys and the actor may (still) make them.
 * @throws AppError NOT_FOUND, B2B_NOT_VERIFIED (§5.4)
 */
export async function lockForNewKey(
  tx: Prisma.TransactionClient,
  actor: Actor,
  accountId: string,
  action: "keys.create" | "keys.rotate",
): Promise<void> {
  const account = await lockAccount(tx, accountId);
  await assertStillMay(tx, actor, accountId, action);
  if (account.verificationStatus === "suspended") {
    throw new AppError(
      "B2B_NOT_VERIFIED",
      "The account is suspended: no API key can be created until that ends. The panel, API B2B, Verification, says why.",
    );
  }
  if (account.verificationStatus !== "verified") {
    throw new AppError("B2B_NOT_VERIFIED", "API keys can be created once the account is verified.");
  }
}

/** Makes a key of a project; only its hash and its last four characters are stored. The account is locked already. */
export async function insertApiKey(
  tx: Prisma.TransactionClient,
  actor: Actor,
  { accountId, projectId }: ProjectScope,
  { name, permissions, expiresAt, creditsPerMonth, allowedNetworks }: ApiKeyFields,
  now: Date,
): Promise<CreatedApiKey> {
  const apiKey = newApiKey();
  const keyId = newId("apiKey");
  await tx.apiKey.create({
    data: {
      id: keyId,
      accountId,
      projectId,
      name,
      keyHash: new Uint8Array(hashApiKey(apiKey)),
      hint: apiKeyHint(apiKey),
      permissions,
      creditsPerMonth,
      allowedNetworks,
      expiresAt,
      // Of the same clock as its end: the key that takes over lives as long.
      createdAt: now,
      createdById: actor.userId ?? null,
      userSessionId: isPlaygroundKey({ name, expiresAt }, now) ? (actor.sessionId ?? null) : null,
    },
  });
  // The one that says that keys can be made has done its work.
  await resolveVerificationAlerts(tx, accountId, now);
  await recordAudit(tx, actor, {
    accountId,
    action: "key.create",
    subject: keyId,
    after: {
      name,
      projectId,
      permissions,
      expiresAt: expiresAt?.toISOString() ?? null,
      ...(creditsPerMonth !== null && { creditsPerMonth }),
      ...(allowedNetworks.length > 0 && { allowedNetworks }),
    },
  });
  return { keyId, apiKey, permissions, expiresAt };
}

/**
 * After a key was made, in the same transaction, with the account locked: so that a rotation without overlap is always
 * possible, which adds none.
 * @throws AppError VALIDATION_FAILED when more keys of the account take calls than may
 */
export async function checkLiveKeys(tx: Prisma.TransactionClient, accountId: string, now: Date): Promise<void> {
  const isLive = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  // By its projects: keys have no index of accounts.
  if ((await tx.apiKey.count({ where: { project: { accountId }, ...isLive } })) <= MAX_LIVE_KEYS) return;
  throw new AppError(
    "VALIDATION_FAILED",
    `An account has at most ${MAX_LIVE_KEYS} keys in use, in all its projects. Revoke one that is no longer needed. To replace one, rotate it without an overlap.`,
  );
}

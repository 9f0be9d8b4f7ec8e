import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";

/** A revoked key. */
export interface RevokedApiKey {
  keyId: string;
  revokedAt: Date;
}

/**
 * Revokes an API key: from the next call on it is unknown in every process. A second time changes nothing.
 * @param input.scope the project whose key it must be; absent (operators): any
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function revokeApiKey(
  actor: Actor,
  { keyId, scope }: { keyId: string; scope?: ProjectScope },
): Promise<RevokedApiKey> {
  const where = { id: keyId, ...(scope && { accountId: scope.accountId, projectId: scope.projectId }) };
  return prisma().$transaction(async (tx) => {
    if (scope) await assertStillMay(tx, actor, scope.accountId, "keys.revoke");
    const revokedAt = await databaseNow(tx);
    const { count } = await tx.apiKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt } });
    const key = await tx.apiKey.findFirst({ where, select: { accountId: true, revokedAt: true } });
    if (!key?.revokedAt) throw notFound(`The key ${keyId}`);
    if (count > 0) {
      await recordAudit(tx, actor, { accountId: key.accountId, action: "key.revoke", subject: keyId });
    }
    return { keyId: keyId, revokedAt: key.revokedAt };
  });
}

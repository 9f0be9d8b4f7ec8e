import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";

/** A revoked key. */
export interface RevokedApiKey {
  keyId: string;
  revokedAt: Date;
}

/**
 * Revokes an API key: from the next call on it is unknown in every process. A second time changes nothing.
 * @param input.accountId whose key it must be; absent (operators): any account's
 * @throws AppError NOT_FOUND
 */
export async function revokeApiKey(actor: Actor, input: { keyId: string; accountId?: string }): Promise<RevokedApiKey> {
  const where = { id: input.keyId, ...(input.accountId === undefined ? {} : { accountId: input.accountId }) };
  return prisma().$transaction(async (tx) => {
    const revokedAt = new Date();
    const { count } = await tx.apiKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt } });
    const key = await tx.apiKey.findFirst({ where, select: { accountId: true, revokedAt: true } });
    if (!key?.revokedAt) throw notFound(`The key ${input.keyId}`);
    if (count > 0) {
      await recordAudit(tx, actor, { accountId: key.accountId, action: "key.revoke", subject: input.keyId });
    }
    return { keyId: input.keyId, revokedAt: key.revokedAt };
  });
}

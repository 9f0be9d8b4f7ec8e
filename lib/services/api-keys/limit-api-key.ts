import type { LimitKeyInput } from "@/lib/contracts/api-keys";
import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertStillMay } from "@/lib/services/members/member-rules";

/**
 * Sets what a key may use in a calendar month (UTC); null: as much as the account has. It holds from the next call on.
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function limitApiKey(
  actor: Actor,
  { accountId, projectId }: ProjectScope,
  { keyId, creditsPerMonth }: LimitKeyInput,
): Promise<void> {
  await prisma().$transaction(async (tx) => {
    await assertStillMay(tx, actor, accountId, "keys.limit");
    await tx.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${keyId} AND account_id = ${accountId}
      AND project_id = ${projectId} FOR NO KEY UPDATE`;
    const key = await tx.apiKey.findFirst({ where: { id: keyId, accountId, projectId } });
    if (!key) throw notFound("The key");
    if (key.creditsPerMonth === creditsPerMonth) return;
    await tx.apiKey.update({ where: { id: keyId }, data: { creditsPerMonth } });
    await recordAudit(tx, actor, {
      accountId,
      action: "key.limit",
      subject: keyId,
      before: { creditsPerMonth: key.creditsPerMonth },
      after: { creditsPerMonth },
    });
  });
}

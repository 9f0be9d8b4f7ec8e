import type { Prisma } from "@/lib/db/generated/client";
import { LONGEST_PLAYGROUND_KEY_SECONDS as LONGEST_SECONDS, PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import { recordAudit } from "@/lib/services/accounts/record-audit";

/**
 * Ends the keys that a person made for the playground, in the caller's transaction: with the role that let them, or with the
 * sign-ins of theirs that are ended. Each has its line in the audit log of its account.
 * @param whose.accountId absent: in all accounts that they belong to
 */
export async function endPlaygroundKeys(
  tx: Prisma.TransactionClient,
  whose: { userId: string; accountId?: string },
): Promise<void> {
  const { userId, accountId } = whose;
  const memberships = accountId === undefined ? await tx.member.findMany({ where: { userId } }) : [{ accountId }];
  const accountIds = memberships.map((membership) => membership.accountId);
  // By their projects: keys have no index of who made them.
  const ended = await tx.$queryRaw<{ id: string; account_id: string }[]>`
    UPDATE api_keys SET revoked_at = now()
    WHERE project_id IN (SELECT id FROM projects WHERE account_id = ANY (${accountIds}))
      AND created_by_id = ${userId} AND name = ${PLAYGROUND_KEY.name} AND revoked_at IS NULL AND expires_at > now()
      AND created_at > now() - make_interval(secs => ${LONGEST_SECONDS})
      AND expires_at < created_at + make_interval(secs => ${LONGEST_SECONDS})
    RETURNING id, account_id`;
  for (const key of ended) {
    await recordAudit(tx, { kind: "system" }, { accountId: key.account_id, action: "key.revoke", subject: key.id });
  }
}

import type { Prisma } from "@/lib/db/generated/client";
import { LONGEST_PLAYGROUND_KEY_SECONDS as LONGEST_SECONDS, PLAYGROUND_KEY } from "@/lib/domain/playground-key";
import { recordAudit } from "@/lib/services/accounts/record-audit";

/** Which keys of the playground. */
interface PlaygroundKeysOf {
  userId: string;
  /** Absent: in all accounts that they belong to. */
  accountId?: string;
  /** Absent: those that were made in any browser. Of a key that does not say where it was made, it may have been there. */
  sessionId?: string;
}

/**
 * Ends the keys that a person made for the playground, in the caller's transaction: with the role that let them, or with the
 * sign-ins of theirs that are ended. Each has its line in the audit log of its account.
 */
export async function endPlaygroundKeys(
  tx: Prisma.TransactionClient,
  { userId, accountId, sessionId }: PlaygroundKeysOf,
): Promise<void> {
  const accountIds = accountId === undefined ? await accountsOf(tx, userId) : [accountId];
  const there = sessionId ?? null;
  // By their projects: keys have no index of who made them.
  const ended = await tx.$queryRaw<{ id: string; account_id: string }[]>`
    UPDATE api_keys SET revoked_at = now()
    WHERE project_id IN (SELECT id FROM projects WHERE account_id = ANY (${accountIds}))
      AND created_by_id = ${userId} AND name = ${PLAYGROUND_KEY.name} AND revoked_at IS NULL AND expires_at > now()
      AND (${there}::text IS NULL OR user_session_id IS NULL OR user_session_id = ${there})
      AND created_at > now() - make_interval(secs => ${LONGEST_SECONDS})
      AND expires_at < created_at + make_interval(secs => ${LONGEST_SECONDS})
    RETURNING id, account_id`;
  for (const key of ended) {
    await recordAudit(tx, { kind: "system" }, { accountId: key.account_id, action: "key.revoke", subject: key.id });
  }
}

/** Leaves a person's keys to the session that goes on in the browser in which they were made. */
export async function movePlaygroundKeys(
  tx: Prisma.TransactionClient,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const accountIds = await accountsOf(tx, userId);
  await tx.apiKey.updateMany({
    where: { project: { accountId: { in: accountIds } }, userSessionId: from, revokedAt: null },
    data: { userSessionId: to },
  });
}

async function accountsOf(tx: Prisma.TransactionClient, userId: string): Promise<string[]> {
  const memberships = await tx.member.findMany({ where: { userId }, select: { accountId: true } });
  return memberships.map(({ accountId }) => accountId);
}

import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { disablePeople, type PeopleToShut } from "@/lib/services/accounts/disable-people";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { closeInvitations } from "@/lib/services/members/invitations";

/** What was shut. */
export interface ClosedAccount {
  accountId: string;
  keysRevoked: number;
  /** E-mail addresses of those who can sign in no more. */
  peopleDisabled: string[];
}

/**
 * Shuts an account for good without erasing it: it is suspended, its keys are revoked, its open invitations taken back, and
 * the people named sign in no more, whoever of them is in it or of the staff. A second time changes nothing; where the account is
 * gone, by an erasure, the people are all there is to shut.
 */
export async function closeAccount(
  actor: Actor,
  { accountId, reason, ...people }: PeopleToShut & { accountId: string; reason: string },
): Promise<ClosedAccount> {
  return prisma().$transaction(async (tx) => {
    const isGone = (await tx.account.count({ where: { id: accountId } })) === 0;
    const account = isGone ? null : await lockAccount(tx, accountId);
    const now = await databaseNow(tx);
    // People before what they change: their acts hold them in that order (`assertStillMay`).
    const peopleDisabled = await disablePeople(tx, actor, { ...people, reason, now });
    if (!account) return { accountId, keysRevoked: 0, peopleDisabled };
    const { verificationStatus } = account;
    const { count } = await tx.apiKey.updateMany({ where: { accountId, revokedAt: null }, data: { revokedAt: now } });
    await closeInvitations(tx, { accountId });
    if (verificationStatus !== "suspended" || count > 0) {
      await tx.account.update({ where: { id: accountId }, data: { verificationStatus: "suspended" } });
      await recordAudit(tx, actor, {
        accountId,
        action: "account.close",
        subject: accountId,
        reason,
        before: { verification: verificationStatus },
        after: { verification: "suspended", keysRevoked: count },
      });
    }
    return { accountId, keysRevoked: count, peopleDisabled };
  });
}

import type { Prisma } from "@/lib/db/generated/client";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { tellByMail } from "@/lib/services/mail/enqueue-mail";
import { passwordChangedMail } from "@/lib/services/people/mail-texts";
import { revokeAll } from "@/lib/services/people/manage-person-sessions";
import { SECOND_STEPS } from "@/lib/services/people/user-token";

/** Sets a person's password in the caller's transaction: tells them by mail, and ends what the one before had begun. */
export async function setPassword(
  tx: Prisma.TransactionClient,
  actor: Actor,
  change: { userId: string; email: string; passwordHash: string; keepSessionId: string | null },
): Promise<void> {
  const { userId, email, passwordHash, keepSessionId } = change;
  const sessions = await endPassword(tx, userId, { passwordHash, keepSessionId });
  await tellByMail(tx, passwordChangedMail(email));
  await recordAudit(tx, actor, {
    accountId: null,
    action: "person.change-password",
    subject: userId,
    after: { sessionsEnded: sessions },
  });
}

/** Ends a person's password, for another or for none, with all that was begun by it. @returns how many sessions ended */
export async function endPassword(
  tx: Prisma.TransactionClient,
  userId: string,
  { passwordHash, keepSessionId }: { passwordHash: string | null; keepSessionId: string | null },
): Promise<number> {
  // A second factor that was offered and is not on yet was asked for with the old password, too.
  await tx.user.update({ where: { id: userId }, data: { passwordHash, totpPendingEncrypted: null } });
  const sessions = await revokeAll(tx, userId, keepSessionId);
  // A new address was asked for with the old password, and its mail says that a new one stops whoever knew that.
  await tx.userToken.deleteMany({
    where: { userId, purpose: { in: ["reset-password", "change-email", ...SECOND_STEPS] }, usedAt: null },
  });
  return sessions;
}

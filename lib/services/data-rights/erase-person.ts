import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { emailSpellings } from "@/lib/domain/email-address";
import { invalidField } from "@/lib/domain/errors";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { tellByMail } from "@/lib/services/mail/enqueue-mail";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { lockWithoutAccount } from "@/lib/services/people/lock-without-account";
import { personErasedMail } from "@/lib/services/people/mail-texts";

/**
 * Erases a person who belongs to no account, for themselves: no account's erasure would ever take them along. What
 * teams have in their audit logs stays there: who acted by an id that leads nowhere, and whom they invited.
 * @param input.confirmation their address, as they typed it
 * @throws AppError NOT_FOUND for staff, who leave by an operator; VALIDATION_FAILED while they belong to an account, and when
 *   the address is another
 */
export async function erasePerson(actor: Actor, input: { userId: string; confirmation: string }): Promise<void> {
  const { userId } = input;
  await prisma().$transaction(async (tx) => {
    const { email } = await lockWithoutAccount(tx, actor, userId);
    if (input.confirmation.trim() !== email) throw invalidField("confirmation", "must be your e-mail address");
    // What waits for them to accept it is of the team that invites, and brings somebody new.
    await tx.invitation.deleteMany({
      where: {
        email: { in: emailSpellings(email) },
        OR: [{ acceptedAt: { not: null } }, { revokedAt: { not: null } }, { expiresAt: { lt: await databaseNow(tx) } }],
      },
    });
    // The guard of the audit log lets erasures through that say so, and nothing else.
    await tx.$executeRaw`SET LOCAL service.erasing = 'on'`;
    await tx.auditEntry.deleteMany({ where: { accountId: null, OR: [{ actorId: userId }, { subject: userId }] } });
    // Their sessions, links, codes and other services go with them.
    await tx.user.delete({ where: { id: userId } });
    await tellByMail(tx, personErasedMail(email));
    await recordAudit(tx, { kind: "owner" }, { accountId: null, action: "person.erase", subject: userId });
  });
  wakeRelay();
}

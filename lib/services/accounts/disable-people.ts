import type { Prisma } from "@/lib/db/generated/client";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { closeInvitations } from "@/lib/services/members/invitations";
import { revokeAll } from "@/lib/services/people/manage-person-sessions";

/** By their address, or by their id: who is known by an address may have changed it. */
export interface PeopleToShut {
  emails: readonly string[];
  userIds?: readonly string[];
}

/**
 * Shuts people out in the caller's transaction: they are signed out everywhere and sign in no more, neither by links that
 * they have nor by invitations that they sent to themselves.
 * @returns e-mail addresses of those who were not shut out before
 */
export async function disablePeople(
  tx: Prisma.TransactionClient,
  actor: Actor,
  { emails, userIds = [], reason, now }: PeopleToShut & { reason: string; now: Date },
): Promise<string[]> {
  const people = await tx.user.updateManyAndReturn({
    where: { OR: [{ email: { in: [...emails] } }, { id: { in: [...userIds] } }], disabledAt: null },
    data: { disabledAt: now },
    select: { id: true, email: true },
  });
  for (const { id } of people) {
    await revokeAll(tx, id);
    await tx.userToken.deleteMany({ where: { userId: id, usedAt: null } });
    await closeInvitations(tx, { invitedById: id });
    await recordAudit(tx, actor, { accountId: null, action: "person.disable", subject: id, reason });
  }
  return people.map(({ email }) => email);
}

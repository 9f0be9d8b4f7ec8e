import type { Prisma } from "@/lib/db/generated/client";
import { TOLD_ROLES } from "@/lib/domain/alert-mails";

/** Whom an account's news goes to by mail: its owners and admins, by their addresses; those whose sign-in is off have no use for it. */
export async function toldPeople(
  tx: Prisma.TransactionClient,
  accountId: string,
): Promise<{ companyName: string; emails: string[] }> {
  const { companyName, members } = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    select: {
      companyName: true,
      members: {
        where: { role: { in: [...TOLD_ROLES] }, user: { disabledAt: null } },
        select: { user: { select: { email: true } } },
      },
    },
  });
  return { companyName, emails: members.map(({ user }) => user.email) };
}

import type { MissingPeople } from "@/scripts/support/welcome";

/**
 * Who is missing before anybody can use the service. One that has been in use for long needs no word about its beginning; one
 * whose demo account was switched off begins anew: who is shut out neither calls it nor verifies companies.
 */
export async function findMissingPeople(): Promise<MissingPeople> {
  const { prisma } = await import("@/lib/db/prisma");
  const [account, member] = await Promise.all([
    prisma().account.findFirst({ where: { verificationStatus: { not: "suspended" } }, select: { id: true } }),
    prisma().user.findFirst({ where: { isStaff: true, disabledAt: null }, select: { id: true } }),
  ]);
  return { account: account === null, staff: member === null };
}

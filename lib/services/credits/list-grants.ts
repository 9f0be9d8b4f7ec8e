import type { GrantRecord } from "@/lib/contracts/billing";
import { prisma } from "@/lib/db/prisma";

const MOST_GRANTS = 50;

/** What an account was given and what was taken from it, newest first, without what calls cost. */
export async function listGrants(accountId: string): Promise<GrantRecord[]> {
  const grants = await prisma().ledgerEntry.findMany({
    where: { accountId, kind: { not: "charge" } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST_GRANTS,
  });
  return grants.map(({ id, kind, amount, balanceAfter, reason, createdAt }) => ({
    id,
    kind,
    amount,
    balanceAfter,
    reason,
    createdAt: createdAt.toISOString(),
  }));
}

import { prisma } from "@/lib/db/prisma";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";

/**
 * Takes an alert of the account from its owner's sight; a second time changes nothing.
 * @throws AppError NOT_FOUND
 */
export async function dismissAlert({ accountId }: Pick<Principal, "accountId">, id: string): Promise<void> {
  const { count } = await prisma().alert.updateMany({
    where: { id, accountId, dismissedAt: null },
    data: { dismissedAt: new Date() },
  });
  if (count > 0) return;
  if ((await prisma().alert.count({ where: { id, accountId } })) === 0) throw notFound("The alert");
}

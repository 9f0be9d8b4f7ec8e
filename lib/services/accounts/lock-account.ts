import type { Account, Prisma } from "@/lib/db/generated/client";
import { notFound } from "@/lib/domain/errors";

/**
 * The account, locked until the caller's transaction ends, so that what the audit log says of "before" is true.
 * @throws AppError NOT_FOUND
 */
export async function lockAccount(tx: Prisma.TransactionClient, accountId: string): Promise<Account> {
  await tx.$queryRaw`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`;
  const account = await tx.account.findUnique({ where: { id: accountId } });
  if (!account) throw notFound(`The account ${accountId}`);
  return account;
}

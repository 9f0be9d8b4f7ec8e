import { prisma } from "@/lib/db/prisma";
import { readCompanyName } from "@/lib/services/accounts/create-account";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";

/**
 * Changes what the account is called; its verified legal name is another thing and stays.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED
 */
export async function renameAccount(actor: Actor, { accountId }: { accountId: string }, name: string): Promise<void> {
  const companyName = readCompanyName(name);
  await prisma().$transaction(async (tx) => {
    const { companyName: before } = await lockAccount(tx, accountId);
    if (before === companyName) return;
    await tx.account.update({ where: { id: accountId }, data: { companyName } });
    await recordAudit(tx, actor, {
      accountId,
      action: "account.rename",
      subject: accountId,
      before: { companyName: before },
      after: { companyName },
    });
  });
}

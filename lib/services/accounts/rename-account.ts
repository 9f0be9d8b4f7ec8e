import type { SaveInput, SaveResult } from "@/lib/contracts/edit-base";
import { prisma } from "@/lib/db/prisma";
import { readCompanyName } from "@/lib/services/accounts/create-account";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";

/** What a company calls itself, as a form has it. */
interface CompanyName {
  company: string;
}

/**
 * Changes what the account is called, unless it is no longer what the form began with; its verified legal name is another
 * thing and stays.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED
 */
export async function renameAccount(
  actor: Actor,
  { accountId }: { accountId: string },
  { company, began }: SaveInput<CompanyName>,
): Promise<SaveResult<CompanyName>> {
  const companyName = readCompanyName(company);
  return prisma().$transaction(async (tx) => {
    const { companyName: before } = await lockAccount(tx, accountId);
    if (before === companyName) return { outcome: "saved", saved: { company: before } };
    if (before !== began.company) return { outcome: "conflict", current: { company: before } };
    await tx.account.update({ where: { id: accountId }, data: { companyName } });
    await recordAudit(tx, actor, {
      accountId,
      action: "account.rename",
      subject: accountId,
      before: { companyName: before },
      after: { companyName },
    });
    return { outcome: "saved", saved: { company: companyName } };
  });
}

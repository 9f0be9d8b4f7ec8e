import type { CompanyData, CompanyField, Verification } from "@/lib/contracts/verification";
import { COMPANY_FIELDS } from "@/lib/contracts/verification";
import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import type { Principal } from "@/lib/domain/principal";
import { canSubmitVerification, verificationDueAt } from "@/lib/domain/verification";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { tellStaff } from "@/lib/services/staff/tell-staff";
import { resolveVerificationAlerts } from "@/lib/services/verification/alert-owner";
import { getVerification } from "@/lib/services/verification/get-verification";

/**
 * Hands company data in for verification: for the first time, as the answer to what staff asked, or again after a
 * rejection. Each time is a submission of its own with its own 48 hours (§8); what was said before stays readable.
 * @param company as `companyDataSchema` lets through
 * @throws AppError NOT_FOUND; VALIDATION_FAILED while staff are checking, and once the account is verified or suspended
 */
export async function submitVerification(
  actor: Actor,
  { accountId }: Pick<Principal, "accountId">,
  company: CompanyData,
  at?: Date,
): Promise<Verification> {
  await prisma().$transaction(async (tx) => {
    const account = await lockAccount(tx, accountId);
    const { verificationStatus: before } = account;
    if (!canSubmitVerification(before)) throw new AppError("VALIDATION_FAILED", whyNot(before));
    const last = await tx.verificationSubmission.findFirst({
      where: { accountId },
      orderBy: [{ submittedAt: "desc" }, { id: "desc" }],
      select: { company: true },
    });
    const id = newId("verification");
    // By the clock of all machines: which one is the last goes by it.
    const now = at ?? (await databaseNow(tx));
    const dueAt = verificationDueAt(now);
    await tx.verificationSubmission.create({
      data: {
        id,
        accountId,
        company: { ...company },
        submittedById: actor.userId ?? null,
        submittedAt: now,
        dueAt,
      },
    });
    await tx.account.update({ where: { id: accountId }, data: { verificationStatus: "pending" } });
    await resolveVerificationAlerts(tx, accountId, now);
    await recordAudit(tx, actor, {
      accountId,
      action: "verification.submit",
      subject: id,
      before: { verification: before },
      // Names of fields alone: company data is kept in one place.
      after: { verification: "pending", changed: changedFields(last?.company as CompanyData | undefined, company) },
    });
    await tellStaff(tx, { what: "verification", accountId, companyName: account.companyName, dueAt });
  });
  wakeRelay();
  return getVerification({ accountId });
}

function changedFields(before: CompanyData | undefined, after: CompanyData): CompanyField[] {
  return COMPANY_FIELDS.filter((field) => before?.[field] !== after[field]);
}

function whyNot(status: string): string {
  if (status === "pending")
    return "The company is being checked already. Load the page again, and wait for the answer.";
  if (status === "verified") return "The company is verified already. Load the page again.";
  return "Nothing can be handed in while the account is suspended. Write to the support.";
}

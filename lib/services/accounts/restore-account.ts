import { prisma } from "@/lib/db/prisma";
import { AppError, invalidField } from "@/lib/domain/errors";
import { type SubmissionStatus, statusBehindSuspension } from "@/lib/domain/verification";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import type { AccountVerification } from "@/lib/services/accounts/verify-account";
import { assertNotBeingErased } from "@/lib/services/data-rights/begin-erasure";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { assertStillStaff } from "@/lib/services/staff/assert-still-staff";
import { mailOwners } from "@/lib/services/verification/alert-owner";

/**
 * Ends a suspension: the account is again what it was before, and the keys of a verified one work from the next call on. Its
 * owners and admins are told by mail.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED when the reason is empty, the account is not suspended or its erasure has begun
 */
export async function restoreAccount(
  actor: Actor,
  input: { accountId: string; reason: string },
): Promise<AccountVerification> {
  const { accountId } = input;
  const reason = input.reason.trim();
  if (!reason) throw invalidField("reason", "must say why");
  const restored = await prisma().$transaction(async (tx) => {
    const account = await lockAccount(tx, accountId);
    await assertStillStaff(tx, actor);
    if (account.verificationStatus !== "suspended") {
      throw new AppError("VALIDATION_FAILED", "The account is not suspended.");
    }
    await assertNotBeingErased(tx, accountId);
    const last = await tx.verificationSubmission.findFirst({
      where: { accountId },
      orderBy: [{ submittedAt: "desc" }, { id: "desc" }],
      select: { status: true },
    });
    const verification = statusBehindSuspension({
      isVerified: account.verifiedAt !== null,
      lastSubmission: (last?.status ?? null) as SubmissionStatus | null,
    });
    await tx.account.update({ where: { id: accountId }, data: { verificationStatus: verification } });
    await recordAudit(tx, actor, {
      accountId,
      action: "account.restore",
      subject: accountId,
      reason,
      before: { verification: "suspended" },
      after: { verification },
    });
    await mailOwners(tx, accountId, "restore");
    return { accountId, verification };
  });
  wakeRelay();
  return restored;
}

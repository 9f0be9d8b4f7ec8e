import { prisma } from "@/lib/db/prisma";
import { AppError, invalidField } from "@/lib/domain/errors";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import type { AccountVerification } from "@/lib/services/accounts/verify-account";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { assertStillStaff } from "@/lib/services/staff/assert-still-staff";
import { mailOwners, resolveVerificationAlerts } from "@/lib/services/verification/alert-owner";

/** An account that is suspended already: its people read the first reason and since when, which stay. */
export class AlreadySuspendedError extends AppError {
  constructor() {
    super("VALIDATION_FAILED", "The account is suspended already.");
  }
}

/**
 * Suspends an account: its keys get 403 B2B_NOT_VERIFIED from the next call on, and it gets no new keys. Its owners and admins
 * are told by mail, without the reason.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED when the reason is empty; AlreadySuspendedError
 */
export async function suspendAccount(
  actor: Actor,
  input: { accountId: string; reason: string },
): Promise<AccountVerification> {
  const { accountId } = input;
  const reason = input.reason.trim();
  if (!reason) throw invalidField("reason", "must say why");
  const suspended = await prisma().$transaction(async (tx) => {
    const before = await lockAccount(tx, accountId);
    await assertStillStaff(tx, actor);
    if (before.verificationStatus === "suspended") throw new AlreadySuspendedError();
    await tx.account.update({ where: { id: accountId }, data: { verificationStatus: "suspended" } });
    await resolveVerificationAlerts(tx, accountId, new Date());
    await recordAudit(tx, actor, {
      accountId,
      action: "account.suspend",
      subject: accountId,
      reason,
      before: { verification: before.verificationStatus },
      after: { verification: "suspended" },
    });
    await mailOwners(tx, accountId, "suspend");
    return { accountId, verification: "suspended" };
  });
  wakeRelay();
  return suspended;
}

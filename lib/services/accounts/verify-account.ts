import { databaseNow } from "@/lib/db/database-now";
import { prisma } from "@/lib/db/prisma";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { assertNotBeingErased } from "@/lib/services/data-rights/begin-erasure";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { alertOwner } from "@/lib/services/verification/alert-owner";

/** An account's state of verification (§5.4). */
export interface AccountVerification {
  accountId: string;
  verification: string;
}

/**
 * Marks an account verified, which also ends a suspension, and approves its open submission if there is one. The account
 * is told as it is of a decision of staff, unless it was verified before.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED when its erasure has begun
 */
export async function verifyAccount(actor: Actor, input: { accountId: string }): Promise<AccountVerification> {
  const { accountId } = input;
  const verified = await prisma().$transaction(async (tx) => {
    const before = await lockAccount(tx, accountId);
    await assertNotBeingErased(tx, accountId);
    const now = await databaseNow(tx);
    await tx.account.update({
      where: { id: accountId },
      data: { verificationStatus: "verified", verifiedAt: before.verifiedAt ?? now },
    });
    const last = await tx.verificationSubmission.findFirst({
      where: { accountId },
      orderBy: [{ submittedAt: "desc" }, { id: "desc" }],
      select: { id: true },
    });
    // What staff asked about earlier submissions stays as it was said.
    await tx.verificationSubmission.updateMany({
      where: { id: last?.id ?? "", status: { in: ["pending", "more_info"] } },
      data: { status: "approved", decidedAt: now, decidedById: actor.userId ?? null },
    });
    if (before.verificationStatus !== "verified") {
      await alertOwner(tx, { accountId, submissionId: last?.id ?? null }, "approve", now);
    }
    await recordAudit(tx, actor, {
      accountId,
      action: "account.verify",
      subject: accountId,
      before: { verification: before.verificationStatus },
      after: { verification: "verified" },
    });
    return { accountId, verification: "verified" };
  });
  wakeRelay();
  return verified;
}

import type { FieldMessages, Verification, VerificationDecisionInput } from "@/lib/contracts/verification";
import { databaseNow } from "@/lib/db/database-now";
import type { Prisma, VerificationSubmission } from "@/lib/db/generated/client";
import { prisma } from "@/lib/db/prisma";
import { AppError, notFound } from "@/lib/domain/errors";
import type { SubmissionStatus, VerificationDecision, VerificationStatus } from "@/lib/domain/verification";
import { lockAccount } from "@/lib/services/accounts/lock-account";
import { type Actor, recordAudit } from "@/lib/services/accounts/record-audit";
import { wakeRelay } from "@/lib/services/outbox/relay-wake";
import { assertStillStaff } from "@/lib/services/staff/assert-still-staff";
import { alertOwner } from "@/lib/services/verification/alert-owner";
import { getVerification } from "@/lib/services/verification/get-verification";

const OUTCOMES = {
  approve: { submission: "approved", account: "verified" },
  ask: { submission: "more_info", account: "more_info" },
  reject: { submission: "rejected", account: "rejected" },
} as const satisfies Record<VerificationDecision, { submission: SubmissionStatus; account: VerificationStatus }>;

/**
 * Staff decide about a submission that waits. Approved, the account can create keys from this moment on; asked for
 * more or rejected, its owner reads why and hands the data in again. The same decision of the same person once more is done
 * already: it is sent again because its answer was lost.
 * @param actor a member of staff; the caller has checked that
 * @throws AppError NOT_FOUND; VALIDATION_FAILED when it was decided before, e.g. by a colleague a moment ago
 */
export async function decideVerification(actor: Actor, input: VerificationDecisionInput): Promise<Verification> {
  const { submissionId, decision } = input;
  const outcome = OUTCOMES[decision];
  const accountId = await prisma().$transaction(async (tx) => {
    const { accountId, verifiedAt, verificationStatus: before } = await lockOwner(tx, submissionId);
    await assertStillStaff(tx, actor);
    const fieldMessages = given(input.fieldMessages);
    const message = input.message ?? null;
    const submission = await tx.verificationSubmission.findUniqueOrThrow({ where: { id: submissionId } });
    const isMine = actor.userId !== undefined && submission.decidedById === actor.userId;
    if (isMine && isSame(submission, { status: outcome.submission, message, fieldMessages })) return accountId;
    await assertWaiting(tx, submission, before);
    const now = await databaseNow(tx);
    await tx.verificationSubmission.update({
      where: { id: submissionId },
      data: { status: outcome.submission, message, fieldMessages, decidedAt: now, decidedById: actor.userId ?? null },
    });
    await tx.account.update({
      where: { id: accountId },
      data: {
        verificationStatus: outcome.account,
        ...(decision === "approve" && { verifiedAt: verifiedAt ?? now }),
      },
    });
    await alertOwner(tx, { accountId, submissionId }, decision, now);
    await recordAudit(tx, actor, {
      accountId,
      action: `verification.${decision}`,
      subject: submissionId,
      ...(message !== null && { reason: message }),
      before: { verification: before },
      after: { verification: outcome.account, fields: Object.keys(fieldMessages) },
    });
    return accountId;
  });
  wakeRelay();
  return getVerification({ accountId });
}

async function lockOwner(tx: Prisma.TransactionClient, submissionId: string) {
  const submission = await tx.verificationSubmission.findUnique({
    where: { id: submissionId },
    select: { accountId: true },
  });
  if (!submission) throw notFound("The submission");
  const { id: accountId, ...account } = await lockAccount(tx, submission.accountId);
  return { accountId, ...account };
}

function given(messages: VerificationDecisionInput["fieldMessages"]): FieldMessages {
  return Object.fromEntries(Object.entries(messages).filter(([, text]) => text !== undefined));
}

type Decided = Pick<VerificationSubmission, "status" | "message" | "fieldMessages">;

function isSame(one: Decided, other: Decided): boolean {
  return contentOf(one) === contentOf(other);
}

/** To be compared: the database keeps the messages of fields in an order of its own. */
function contentOf({ status, message, fieldMessages }: Decided): string {
  return JSON.stringify([status, message, Object.entries(fieldMessages ?? {}).sort()]);
}

const DECIDED = {
  approved: "approved it",
  more_info: "asked for more",
  rejected: "rejected it",
} satisfies Record<Exclude<SubmissionStatus, "pending">, string>;

/** Under the account's lock, so that of two decisions at once one is too late, and learns of the other. */
async function assertWaiting(
  tx: Prisma.TransactionClient,
  { status, decidedById }: Pick<VerificationSubmission, "status" | "decidedById">,
  account: string,
): Promise<void> {
  if (status === "pending" && account === "pending") return;
  const decision = DECIDED[status as keyof typeof DECIDED];
  const why = decision ? `${await nameDecider(tx, decidedById)} ${decision}` : "the account was suspended";
  throw new AppError(
    "VALIDATION_FAILED",
    `This submission is not waiting any more: ${why}. Nothing was changed by you. Load the page again.`,
  );
}

/** @param id null: the operator, on the command line */
async function nameDecider(tx: Prisma.TransactionClient, id: string | null): Promise<string> {
  if (id === null) return "the operator";
  const person = await tx.user.findUnique({ where: { id }, select: { email: true } });
  return person?.email ?? "somebody of the staff";
}

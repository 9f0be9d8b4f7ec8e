import type { Prisma } from "@/lib/db/generated/client";
import { newId } from "@/lib/domain/ids";
import type { VerificationDecision } from "@/lib/domain/verification";
import { isMailConfigured } from "@/lib/mail/mail-settings";
import { enqueueMails } from "@/lib/services/mail/enqueue-mail";
import { toldPeople } from "@/lib/services/members/told-people";
import { type VerificationNews, verificationMail } from "@/lib/services/people/mail-texts";

const ALERTS = {
  approve: { kind: "verification.approved", message: "The company is verified. API keys can be created now." },
  ask: {
    kind: "verification.more_info",
    message: "More is needed to verify the company. Read what was asked and hand the data in again.",
  },
  reject: {
    kind: "verification.rejected",
    message: "The company was not verified. Read why; it can be handed in again.",
  },
} as const satisfies Record<VerificationDecision, { kind: string; message: string }>;

/**
 * Tells the account what became of its submission, in the transaction of the decision: by an alert in the panel, and by
 * mail to those who can hand data in again. Wake the relay after the commit.
 * @param to `submissionId` null: the account was verified without one
 */
export async function alertOwner(
  tx: Prisma.TransactionClient,
  to: { accountId: string; submissionId: string | null },
  decision: VerificationDecision,
  now: Date,
): Promise<void> {
  await resolveVerificationAlerts(tx, to.accountId, now);
  await tx.alert.create({
    data: {
      id: newId("alert"),
      accountId: to.accountId,
      subjectId: to.submissionId,
      createdAt: now,
      ...ALERTS[decision],
    },
  });
  await mailOwners(tx, to.accountId, decision);
}

/**
 * Tells the account's owners and admins by mail what was decided about it, in the transaction of that: their systems may be
 * refused from then on, and nobody looks into the panel for it. Wake the relay after the commit.
 */
export async function mailOwners(
  tx: Prisma.TransactionClient,
  accountId: string,
  news: VerificationNews,
): Promise<void> {
  if (!isMailConfigured()) return;
  const { companyName, emails } = await toldPeople(tx, accountId);
  const account = { id: accountId, companyName };
  await enqueueMails(
    tx,
    emails.map((email) => verificationMail(email, account, news)),
  );
}

/** Ends the account's open alerts about its verification: something newer has happened. */
export async function resolveVerificationAlerts(
  tx: Prisma.TransactionClient,
  accountId: string,
  now: Date,
): Promise<void> {
  const kinds = Object.values(ALERTS).map(({ kind }) => kind);
  await tx.alert.updateMany({
    where: { accountId, kind: { in: kinds }, resolvedAt: null },
    data: { resolvedAt: now },
  });
}

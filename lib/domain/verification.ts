/** How an account stands with verification (§5.4, §8). */
export const VERIFICATION_STATUSES = [
  "unsubmitted",
  "pending",
  "more_info",
  "verified",
  "rejected",
  "suspended",
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** How one submission of company data stands. */
export type SubmissionStatus = "pending" | "more_info" | "approved" | "rejected";

/** What staff can decide about a submission. */
export const VERIFICATION_DECISIONS = ["approve", "ask", "reject"] as const;
export type VerificationDecision = (typeof VERIFICATION_DECISIONS)[number];

/** §8: verification takes up to 48 hours. */
const VERIFICATION_HOURS = 48;

/** When a submission has to be decided. */
export function verificationDueAt(submittedAt: Date): Date {
  return new Date(submittedAt.getTime() + VERIFICATION_HOURS * 3_600_000);
}

/** Whether company data can be handed in: for the first time, as an answer, or again after a rejection. */
export function canSubmitVerification(status: string): boolean {
  return status === "unsubmitted" || status === "more_info" || status === "rejected";
}

/** What suspends an account, by its line of the audit log: the newest of them says why. */
export const SUSPENDING_ACTIONS = ["account.suspend", "account.close", "account.request-erasure"] as const;
export type SuspendingAction = (typeof SUSPENDING_ACTIONS)[number];

/** What an account is once a suspension ends: as if there had been none. */
export function statusBehindSuspension(account: {
  isVerified: boolean;
  lastSubmission: SubmissionStatus | null;
}): VerificationStatus {
  if (account.isVerified) return "verified";
  if (account.lastSubmission === null) return "unsubmitted";
  return account.lastSubmission === "approved" ? "verified" : account.lastSubmission;
}

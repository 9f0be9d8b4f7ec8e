import type { Verification } from "@/lib/contracts/verification";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { canSubmitVerification, SUSPENDING_ACTIONS, type VerificationStatus } from "@/lib/domain/verification";
import { SUBMISSION_COLUMNS, type SubmissionRow, toSubmission } from "@/lib/services/verification/submission-row";

/** More rounds than this are not shown. */
const MOST_SUBMISSIONS = 50;

/**
 * How the account's verification stands, with what was handed in and what staff answered, newest first.
 * @throws AppError NOT_FOUND
 */
export async function getVerification({ accountId }: Pick<Principal, "accountId">): Promise<Verification> {
  const [accounts, submissions, suspensions] = await Promise.all([
    db().query<{ status: VerificationStatus; verifiedAt: Date | null }>(
      `SELECT verification_status AS status, verified_at AS "verifiedAt" FROM accounts WHERE id = $1`,
      [accountId],
    ),
    db().query<SubmissionRow>(
      `SELECT ${SUBMISSION_COLUMNS}, row_number() OVER (ORDER BY s.submitted_at, s.id)::int AS round
       FROM verification_submissions s WHERE s.account_id = $1
       ORDER BY s.submitted_at DESC, s.id DESC LIMIT ${MOST_SUBMISSIONS}`,
      [accountId],
    ),
    db().query<{ action: string; reason: string | null; createdAt: Date }>(
      `SELECT action, reason, created_at AS "createdAt" FROM audit_log
       WHERE account_id = $1 AND action = ANY($2) ORDER BY created_at DESC, id DESC LIMIT 1`,
      [accountId, SUSPENDING_ACTIONS],
    ),
  ]);
  const [account] = accounts.rows;
  if (!account) throw notFound("The account");
  return {
    accountId,
    status: account.status,
    verifiedAt: account.verifiedAt?.toISOString() ?? null,
    canSubmit: canSubmitVerification(account.status),
    suspension: account.status === "suspended" ? toSuspension(suspensions.rows[0]) : null,
    submissions: submissions.rows.map(toSubmission),
  };
}

function toSuspension(
  line: { action: string; reason: string | null; createdAt: Date } | undefined,
): Verification["suspension"] {
  if (!line) return null;
  const { action, reason, createdAt } = line;
  return { since: createdAt.toISOString(), reason, isErasure: action === "account.request-erasure" };
}

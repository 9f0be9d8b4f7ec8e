import type { VerificationQueueItem } from "@/lib/contracts/verification";
import { db } from "@/lib/db/pool";
import { type CursorPage, type CursorRequest, decodeTimeCursor, makeCursorPage } from "@/lib/domain/cursor";
import type { SubmissionStatus } from "@/lib/domain/verification";
import { serviceNow } from "@/lib/services/clock/service-now";
import { SUBMISSION_COLUMNS, type SubmissionRow, toSubmission } from "@/lib/services/verification/submission-row";

/** For staff alone: which submissions of all accounts. */
export interface VerificationListRequest extends CursorRequest {
  /** Default "pending": the queue. */
  status?: SubmissionStatus | undefined;
}

interface QueueRow extends SubmissionRow {
  accountId: string;
  companyName: string;
  submittedBy: string | null;
}

/**
 * Submissions of all accounts by the time they are due (§8, 48 hours): of those that wait the most urgent first, of the
 * others the newest first. Those of suspended accounts are no work for anybody and are left out of the queue.
 */
export async function listVerifications(
  { status = "pending", limit, cursor }: VerificationListRequest,
  now?: Date,
): Promise<CursorPage<VerificationQueueItem>> {
  const asOf = now ?? (await serviceNow());
  const [dueAt, id] = cursor === undefined ? [null, null] : decodeTimeCursor(cursor);
  const [after, order] = status === "pending" ? [">", "ASC"] : ["<", "DESC"];
  const { rows } = await db().query<QueueRow>(
    `SELECT ${SUBMISSION_COLUMNS}, s.account_id AS "accountId", a.company_name AS "companyName", u.email AS "submittedBy",
            (SELECT count(*) FROM verification_submissions e WHERE e.account_id = s.account_id
             AND (e.submitted_at, e.id) <= (s.submitted_at, s.id)) AS round
     FROM verification_submissions s
     JOIN accounts a ON a.id = s.account_id
     LEFT JOIN users u ON u.id = s.submitted_by_id
     WHERE s.status = $1 AND ($1 <> 'pending' OR a.verification_status = 'pending')
       AND ($3::timestamptz IS NULL OR (s.due_at, s.id) ${after} ($3::timestamptz, $4::text))
     ORDER BY s.due_at ${order}, s.id ${order} LIMIT $2`,
    [status, limit + 1, dueAt, id],
  );
  const toItem = (row: QueueRow): VerificationQueueItem => ({
    ...toSubmission(row),
    accountId: row.accountId,
    companyName: row.companyName,
    isOverdue: row.status === "pending" && row.dueAt < asOf,
    submittedBy: row.submittedBy,
  });
  return makeCursorPage(rows, limit, toItem, (row) => [row.dueAt.toISOString(), row.id]);
}

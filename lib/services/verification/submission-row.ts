import type { CompanyData, FieldMessages, VerificationSubmission } from "@/lib/contracts/verification";
import type { SubmissionStatus } from "@/lib/domain/verification";

/** The columns of a submission, of a table called `s`; its round is counted by each query for itself. */
export const SUBMISSION_COLUMNS = `
  s.id, s.status, s.company, s.message, s.field_messages AS "fieldMessages", s.submitted_at AS "submittedAt",
  s.due_at AS "dueAt", s.decided_at AS "decidedAt"`;

export interface SubmissionRow {
  id: string;
  round: number;
  status: SubmissionStatus;
  company: CompanyData;
  message: string | null;
  fieldMessages: FieldMessages | null;
  submittedAt: Date;
  dueAt: Date;
  decidedAt: Date | null;
}

export function toSubmission(row: SubmissionRow): VerificationSubmission {
  return {
    id: row.id,
    round: row.round,
    status: row.status,
    company: row.company,
    message: row.message,
    fieldMessages: row.fieldMessages ?? {},
    submittedAt: row.submittedAt.toISOString(),
    dueAt: row.dueAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
  };
}

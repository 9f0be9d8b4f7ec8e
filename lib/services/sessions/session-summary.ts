import type { SessionSummary } from "@/lib/contracts/sessions";
import type { SessionKind, SessionStatus } from "@/lib/domain/session-status";

const PREVIEW_CHARACTERS = 160;

/** A session as the panel's queries select it. */
export interface SummaryRow {
  id: string;
  kind: SessionKind;
  status: SessionStatus;
  endUserId: string | null;
  reference: string | null;
  templateId: string | null;
  preview: string | null;
  fileName: string | null;
  turnCount: number;
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
  errorCode: string | null;
  createdAt: Date;
  lastActivityAt: Date;
}

/** A processing is known by its instruction, a chat by its first message. */
export const SUMMARY_COLUMNS = `
  s.id, s.kind, s.status, s.end_user_id AS "endUserId", s.reference, s.template_id AS "templateId",
  left(coalesce(s.prompt, (SELECT t.input FROM turns t WHERE t.session_id = s.id AND t.position = 0)),
       ${PREVIEW_CHARACTERS}) AS preview,
  (SELECT f.name FROM stored_files f WHERE f.id = s.file_id) AS "fileName",
  s.turn_count AS "turnCount", s.tokens_in AS "tokensIn", s.tokens_out AS "tokensOut", s.credits_used AS "creditsUsed",
  s.error_code AS "errorCode", s.created_at AS "createdAt", s.last_activity_at AS "lastActivityAt"`;

export function toSessionSummary(row: SummaryRow): SessionSummary {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    endUserId: row.endUserId,
    reference: row.reference,
    templateId: row.templateId,
    preview: (row.preview ?? "").replace(/\s+/g, " ").trim(),
    fileName: row.fileName,
    turnCount: row.turnCount,
    tokensUsed: row.tokensIn + row.tokensOut,
    creditsUsed: row.creditsUsed,
    errorCode: row.errorCode,
    createdAt: row.createdAt.toISOString(),
    lastActivityAt: row.lastActivityAt.toISOString(),
  };
}

import type { ChatSession, ChatSessionListItem } from "@/lib/contracts/chat-records";
import { contextReceipt } from "@/lib/contracts/context-receipt";
import type { ProcessListItem, ProcessRecord } from "@/lib/contracts/process-records";
import { isOpenStatus, type OutputType, type SessionKind, type SessionStatus } from "@/lib/domain/session-status";
import type { TurnErrorCode } from "@/lib/domain/turn-errors";
import { fileUrl } from "@/lib/services/files/file-url";
import { downloadUrl } from "@/lib/services/sessions/download-url";
import { costOf } from "@/lib/services/usage/cost-of";

/** A session as the queries of this folder select it. */
export interface SessionRow {
  id: string;
  kind: SessionKind;
  status: SessionStatus;
  end_user_id: string | null;
  template_id: string | null;
  callback_url: string | null;
  reference: string | null;
  last_output: string | null;
  output_type: OutputType | null;
  error_code: TurnErrorCode | null;
  error_message: string | null;
  tokens_in: number;
  tokens_out: number;
  credits_used: number;
  created_at: Date;
  last_activity_at: Date;
  /** As it was kept with the latest turn; null while that one is open. */
  context: unknown;
}

export const SESSION_COLUMNS = `
  s.id, s.kind, s.status, s.end_user_id, s.template_id, s.callback_url, s.reference, s.last_output, s.output_type,
  s.error_code, s.error_message, s.tokens_in, s.tokens_out, s.credits_used, s.created_at, s.last_activity_at,
  (SELECT t.context FROM turns t WHERE t.session_id = s.id ORDER BY t.position DESC LIMIT 1) AS context`;

/** A processing: its session and its file. */
export interface ProcessRow extends SessionRow {
  prompt: string | null;
  completed_at: Date | null;
  file_key: string;
  file_name: string;
  file_size: number;
  file_content_type: string;
}

export const PROCESS_COLUMNS = `${SESSION_COLUMNS},
  s.prompt, s.completed_at, f.storage_key AS file_key, f.name AS file_name, f.size AS file_size, f.content_type AS file_content_type`;

/** The session record without its messages (§2.1, contract §3). */
export function toChatSessionListItem(row: SessionRow): ChatSessionListItem {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    lastOutput: row.last_output,
    ...(row.output_type && { outputType: row.output_type }),
    tokensUsed: row.tokens_in + row.tokens_out,
    tokensIn: row.tokens_in,
    tokensOut: row.tokens_out,
    creditsUsed: row.credits_used,
    ...(row.end_user_id && { endUserId: row.end_user_id }),
    ...(row.template_id && { templateId: row.template_id }),
    ...(row.callback_url && { callbackUrl: row.callback_url }),
    ...(row.reference && { reference: row.reference }),
    ...errorField(row),
    createdAt: row.created_at.toISOString(),
    lastActivityAt: row.last_activity_at.toISOString(),
    ...contextOf(row),
  };
}

/** The session record (§2.1); of the oldest messages, how many are left out. */
export function toChatSession(row: SessionRow, messages: ChatSession["messages"], leftOut: number): ChatSession {
  return { ...toChatSessionListItem(row), messages, ...(leftOut > 0 && { messagesLeftOut: leftOut }) };
}

/** The processing without its output (contract §4). */
export function toProcessListItem(row: ProcessRow): ProcessListItem {
  const isReadable = hasReadableOutput(row);
  const download = isReadable ? downloadUrl(row.id, row.output_type) : null;
  return {
    sessionId: row.id,
    status: row.status,
    fileUrl: fileUrl(row.file_key),
    fileName: row.file_name,
    fileSize: row.file_size,
    contentType: row.file_content_type,
    prompt: row.prompt,
    ...(row.template_id && { templateId: row.template_id }),
    ...(row.end_user_id && { endUserId: row.end_user_id }),
    callbackUrl: row.callback_url,
    ...(row.reference && { reference: row.reference }),
    ...(isReadable && row.output_type && { outputType: row.output_type }),
    ...(download && { downloadUrl: download }),
    tokensIn: row.tokens_in,
    tokensOut: row.tokens_out,
    tokensUsed: row.tokens_in + row.tokens_out,
    creditsUsed: row.credits_used,
    cost: costOf(row.credits_used),
    ...errorField(row),
    createdAt: row.created_at.toISOString(),
    ...(isReadable && row.completed_at && { completedAt: row.completed_at.toISOString() }),
    ...contextOf(row),
  };
}

/** The processing; `output` is the session's latest answer, once there is one and while no turn is open. */
export function toProcessRecord(row: ProcessRow): ProcessRecord {
  return {
    ...toProcessListItem(row),
    ...(hasReadableOutput(row) && { output: row.last_output }),
  };
}

/**
 * Whether there is an output to show: the session's latest answer, unless the next one is being made. A turn behind it that
 * failed or was canceled, and expiry, take nothing away from it (contract §3, §4).
 */
export function hasReadableOutput<Row extends Pick<SessionRow, "status" | "last_output">>(
  row: Row,
): row is Row & { last_output: string } {
  return row.last_output !== null && !isOpenStatus(row.status);
}

/** What the document promises of the kept context, and nothing more. */
function contextOf({ context }: SessionRow) {
  const parsed = context ? contextReceipt.safeParse(context) : undefined;
  return parsed?.success ? { context: parsed.data } : {};
}

function errorField(row: SessionRow) {
  if (row.status !== "failed" || row.error_code === null) return {};
  return { error: { code: row.error_code, message: row.error_message ?? "" } };
}

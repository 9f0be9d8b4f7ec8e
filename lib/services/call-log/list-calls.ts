import { db } from "@/lib/db/pool";
import type { ErrorCode } from "@/lib/domain/errors";
import type { CallSummary } from "@/lib/services/call-log/call-log-entry";

/** Which calls, newest first. Only ever those of one account. */
export interface CallListRequest {
  accountId: string;
  /** Absent: all projects of the account. */
  projectId?: string;
  /** 1 or more. */
  limit: number;
  /** Continue behind this call: the last of the page before. */
  after?: Pick<LoggedCall, "id" | "createdAt">;
}

/** A call as the panel's Logs show it (§5.9). */
export interface LoggedCall {
  id: string;
  projectId: string;
  apiKeyId: string | null;
  requestId: string;
  endpoint: string;
  path: string;
  status: number;
  errorCode: ErrorCode | null;
  /** Until the answer began. */
  durationMs: number;
  /** What the turns that the call started cost; 0 while they are open. */
  credits: number;
  ip: string | null;
  userAgent: string | null;
  sessionId: string | null;
  turnId: string | null;
  endUserId: string | null;
  summary: CallSummary;
  createdAt: Date;
}

/** Credits are read from the turns, so that they are right whenever the work ends. */
const CREDITS = `
  coalesce(CASE
    WHEN c.turn_id IS NOT NULL THEN (SELECT t.credits_used FROM turns t WHERE t.id = c.turn_id)
    WHEN c.summary ? 'sessionIds' THEN (
      SELECT sum(t.credits_used) FROM jsonb_array_elements_text(c.summary->'sessionIds') s
      JOIN turns t ON t.session_id = s.value AND t.request_id = c.request_id)
  END, 0)::int`;

/** Calls of an account or of one of its projects. Goes by position, not by number, so a long log is as quick as a short one. */
export async function listCalls(request: CallListRequest): Promise<LoggedCall[]> {
  const { accountId, projectId, limit, after } = request;
  const values: unknown[] = [accountId, limit];
  const conditions = ["c.account_id = $1"];
  const add = (condition: (...places: string[]) => string, ...more: unknown[]) => {
    conditions.push(condition(...more.map((_, index) => `$${values.length + index + 1}`)));
    values.push(...more);
  };
  if (projectId !== undefined) add((place) => `c.project_id = ${place}`, projectId);
  if (after) add((at, id) => `(c.created_at, c.id) < (${at}::timestamptz, ${id}::text)`, after.createdAt, after.id);
  const { rows } = await db().query<LoggedCall>(
    `SELECT c.id, c.project_id AS "projectId", c.api_key_id AS "apiKeyId", c.request_id AS "requestId", c.endpoint, c.path,
            c.status, c.error_code AS "errorCode", c.duration_ms AS "durationMs", ${CREDITS} AS credits, c.ip,
            c.user_agent AS "userAgent", c.session_id AS "sessionId", c.turn_id AS "turnId", c.end_user_id AS "endUserId",
            c.summary, c.created_at AS "createdAt"
     FROM call_logs c WHERE ${conditions.join(" AND ")}
     ORDER BY c.created_at DESC, c.id DESC LIMIT $2`,
    values,
  );
  return rows;
}

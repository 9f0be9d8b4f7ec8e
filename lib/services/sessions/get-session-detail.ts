import type { SessionDetail } from "@/lib/contracts/sessions";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import type { ProjectScope } from "@/lib/domain/principal";
import type { OutputType } from "@/lib/domain/session-status";
import { downloadUrl } from "@/lib/services/sessions/download-url";
import { listSessionTurns } from "@/lib/services/sessions/list-session-turns";
import { readTimeline } from "@/lib/services/sessions/read-timeline";
import { SUMMARY_COLUMNS, type SummaryRow, toSessionSummary } from "@/lib/services/sessions/session-summary";

interface DetailRow extends SummaryRow {
  prompt: string | null;
  callbackUrl: string | null;
  lastOutput: string | null;
  outputType: OutputType | null;
  errorMessage: string | null;
  openTurns: number;
  completedAt: Date | null;
}

/**
 * A session as its owner sees it in the panel: each turn with what went in, what the AI saw and what came out, and what
 * happened when.
 * @param beforeTurn only turns of a lower position, to go back in a long session
 * @throws AppError NOT_FOUND, also when it is another project's
 */
export async function getSessionDetail(
  scope: ProjectScope,
  sessionId: string,
  beforeTurn?: number,
): Promise<SessionDetail> {
  // The database fails at looking for a NUL, which an address may have.
  if (!isId("session", sessionId)) throw notFound("The session");
  const { rows } = await db().query<DetailRow>(
    `SELECT ${SUMMARY_COLUMNS}, s.prompt, s.callback_url AS "callbackUrl", s.last_output AS "lastOutput",
            s.output_type AS "outputType", s.error_message AS "errorMessage", s.open_turns AS "openTurns",
            s.completed_at AS "completedAt"
     FROM sessions s WHERE s.id = $1 AND s.project_id = $2 AND s.account_id = $3`,
    [sessionId, scope.projectId, scope.accountId],
  );
  const row = rows[0];
  if (!row) throw notFound("The session");
  const turns = await listSessionTurns(scope, sessionId, beforeTurn);
  return {
    ...toSessionSummary(row),
    prompt: row.prompt,
    callbackUrl: row.callbackUrl,
    lastOutput: row.lastOutput,
    outputType: row.outputType,
    downloadUrl: downloadUrl(row.id, row.outputType),
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? "" },
    tokensIn: row.tokensIn,
    tokensOut: row.tokensOut,
    openTurns: row.openTurns,
    completedAt: row.completedAt?.toISOString() ?? null,
    turns,
    earlierTurns: turns[0]?.position ?? 0,
    timeline: await readTimeline(scope, row, turns),
  };
}

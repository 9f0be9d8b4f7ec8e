import type { ProcessRecord } from "@/lib/contracts/process-records";
import { db } from "@/lib/db/pool";
import { unindexed } from "@/lib/db/unindexed";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { PROCESS_COLUMNS, type ProcessRow, toProcessRecord } from "@/lib/services/sessions/session-row";

/**
 * A processing (§2.2, contract §4).
 * @throws AppError NOT_FOUND, also for a chat session, another project's, or one that is not the end user's
 */
export async function getProcess(principal: Principal, sessionId: string, endUserId?: string): Promise<ProcessRecord> {
  const { rows } = await db().query<ProcessRow>({
    name: "get-process",
    text: `
      SELECT ${PROCESS_COLUMNS}
      FROM sessions s JOIN stored_files f ON f.id = s.file_id
      WHERE s.id = $1 AND ${unindexed("s.project_id")} = $2 AND s.kind = 'process' AND ($3::text IS NULL OR s.end_user_id = $3)`,
    values: [sessionId, principal.projectId, endUserId ?? null],
  });
  const row = rows[0];
  if (!row) throw notFound("The processing");
  return toProcessRecord(row);
}

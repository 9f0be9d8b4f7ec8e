import { db } from "@/lib/db/pool";
import { isId } from "@/lib/domain/ids";
import { MAX_MESSAGE_CHARACTERS } from "@/lib/domain/limits";
import type { ProjectScope } from "@/lib/domain/principal";

/** A message that says once more what got no answer; its files are in the session. */
export interface CallToRepeat {
  sessionId: string;
  endUserId: string | null;
  /** With its template rendered. */
  message: string;
  /** JSON, as it was sent; null: the answer may be anything. */
  outputSchema: string | null;
}

/**
 * What a session's last turn was asked with, where it failed or was canceled; null where nothing is to be repeated, the session
 * is not there, or a message cannot say it: inline text is in no file, and a rendered template may be longer than a message.
 */
export async function findCallToRepeat(
  { projectId }: Pick<ProjectScope, "projectId">,
  sessionId: string,
): Promise<CallToRepeat | null> {
  // The database fails at looking for a NUL, which an address may have.
  if (!isId("session", sessionId)) return null;
  const { rows } = await db().query<CallToRepeat>({
    name: "find-call-to-repeat",
    text: `
      SELECT s.id AS "sessionId", s.end_user_id AS "endUserId", last.input AS message, last.output_schema::text AS "outputSchema"
        FROM sessions s
        CROSS JOIN LATERAL (SELECT * FROM turns WHERE session_id = s.id ORDER BY position DESC LIMIT 1) last
       WHERE s.id = $1 AND s.project_id = $2 AND last.status IN ('failed', 'canceled')
         AND last.file_content IS NULL AND length(last.input) BETWEEN 1 AND ${MAX_MESSAGE_CHARACTERS}`,
    values: [sessionId, projectId],
  });
  // The database counts characters, the contract of a message the units of UTF-16.
  return rows[0] && rows[0].message.length <= MAX_MESSAGE_CHARACTERS ? rows[0] : null;
}

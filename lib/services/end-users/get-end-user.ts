import type { EndUserDetail, EndUserSession } from "@/lib/contracts/end-users";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { END_USER_FIGURES, type EndUserRow, toEndUser } from "@/lib/services/end-users/end-user-row";
import { getMemory } from "@/lib/services/memory/get-memory";

const RECENT_SESSIONS = 10;

/**
 * One end user of the project: what they have used, what is remembered of them, their newest sessions.
 * @throws AppError NOT_FOUND also for another project's end user
 */
export async function getEndUser(
  { projectId }: Pick<Principal, "projectId">,
  endUserId: string,
): Promise<EndUserDetail> {
  const [found, memory, recentSessions] = await Promise.all([
    db().query<EndUserRow & { files: number }>(
      `SELECT ${END_USER_FIGURES},
         (SELECT count(*) FROM stored_files f WHERE f.project_id = e.project_id AND f.end_user_id = e.end_user_id
          AND f.deleted_at IS NULL AND f.purpose <> 'export') AS files
       FROM end_users e WHERE e.project_id = $1 AND e.end_user_id = $2`,
      [projectId, endUserId],
    ),
    getMemory({ projectId }, endUserId),
    listRecentSessions(projectId, endUserId),
  ]);
  const [row] = found.rows;
  if (!row) throw notFound("The end user");
  return {
    ...toEndUser(row),
    files: row.files,
    memory: memory && { version: memory.version, updatedAt: memory.updatedAt, forgottenAt: memory.forgottenAt },
    recentSessions,
  };
}

async function listRecentSessions(projectId: string, endUserId: string): Promise<EndUserSession[]> {
  const { rows } = await db().query<EndUserSession & { createdAt: Date; lastActivityAt: Date }>(
    `SELECT id, kind, status, credits_used AS "creditsUsed", created_at AS "createdAt", last_activity_at AS "lastActivityAt"
     FROM sessions WHERE project_id = $1 AND end_user_id = $2 ORDER BY created_at DESC, id DESC LIMIT ${RECENT_SESSIONS}`,
    [projectId, endUserId],
  );
  return rows.map(({ createdAt, lastActivityAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    lastActivityAt: lastActivityAt.toISOString(),
  }));
}

import type { EndUserDetail } from "@/lib/contracts/end-users";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { Principal } from "@/lib/domain/principal";
import { END_USER_FIGURES, type EndUserRow, toEndUser } from "@/lib/services/end-users/end-user-row";
import { getMemory } from "@/lib/services/memory/get-memory";

/**
 * One end user of the project: what they have used and what is remembered of them.
 * @throws AppError NOT_FOUND also for another project's end user
 */
export async function getEndUser(
  { projectId }: Pick<Principal, "projectId">,
  endUserId: string,
): Promise<EndUserDetail> {
  const [found, memory] = await Promise.all([
    db().query<EndUserRow & { files: number; creditsThisMonth: number }>(
      `SELECT ${END_USER_FIGURES},
         (SELECT count(*) FROM stored_files f WHERE f.project_id = e.project_id AND f.end_user_id = e.end_user_id
          AND f.deleted_at IS NULL AND f.purpose <> 'export') AS files,
         coalesce((SELECT m.credits FROM usage_months m WHERE m.project_id = e.project_id AND m.end_user_id = e.end_user_id
                   AND m.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date), 0) AS "creditsThisMonth"
       FROM end_users e WHERE e.project_id = $1 AND e.end_user_id = $2`,
      [projectId, endUserId],
    ),
    getMemory({ projectId }, endUserId),
  ]);
  const [row] = found.rows;
  if (!row) throw notFound("The end user");
  return {
    ...toEndUser(row),
    files: row.files,
    creditsThisMonth: row.creditsThisMonth,
    memory: memory && { version: memory.version, updatedAt: memory.updatedAt, forgottenAt: memory.forgottenAt },
  };
}

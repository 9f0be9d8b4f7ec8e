import type { MemoryProfile } from "@/lib/contracts/knowledge";
import { inTransaction } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { MEMORY_COLUMNS, type MemoryProfileRow, toMemoryProfile } from "@/lib/services/memory/memory-profile-row";

/**
 * The row stays, empty, with the time: an update that is under way must not write again what was just forgotten. All
 * versions go.
 */
const FORGET_PROFILE = `
  WITH m AS (
    INSERT INTO memory_profiles AS p (project_id, end_user_id, content, forgotten_at)
    SELECT project_id, end_user_id, '', clock_timestamp() FROM end_users WHERE project_id = $1 AND end_user_id = $2
    ON CONFLICT (project_id, end_user_id) DO UPDATE SET content = '', version = p.version + 1, updated_at = now(),
      forgotten_at = excluded.forgotten_at
    RETURNING *
  ),
  gone AS (
    DELETE FROM memory_versions v USING m WHERE v.project_id = m.project_id AND v.end_user_id = m.end_user_id
  )
  SELECT ${MEMORY_COLUMNS} FROM m`;

/**
 * Forgets an end user: the profile and all its versions. What was said until now is not learned again.
 * @throws AppError NOT_FOUND when the project has no such end user
 */
export async function forgetMemory(
  actor: Actor,
  { accountId, projectId }: ProjectScope,
  endUserId: string,
): Promise<MemoryProfile> {
  return inTransaction(async (tx) => {
    const { rows } = await tx.query<MemoryProfileRow>(FORGET_PROFILE, [projectId, endUserId]);
    const [row] = rows;
    if (!row) throw notFound("The end user");
    await writeAudit(tx, actor, { accountId, action: "memory.forget", subject: endUserId });
    return toMemoryProfile(row);
  });
}

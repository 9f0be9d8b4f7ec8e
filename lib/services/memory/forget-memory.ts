import type { MemoryProfile } from "@/lib/contracts/knowledge";
import { db } from "@/lib/db/pool";
import { notFound } from "@/lib/domain/errors";
import {
  MEMORY_COLUMNS,
  type MemoryProfileRow,
  type MemoryScope,
  toMemoryProfile,
} from "@/lib/services/memory/memory-profile-row";

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
export async function forgetMemory(scope: MemoryScope, endUserId: string): Promise<MemoryProfile> {
  const { rows } = await db().query<MemoryProfileRow>(FORGET_PROFILE, [scope.projectId, endUserId]);
  if (!rows[0]) throw notFound("The end user");
  return toMemoryProfile(rows[0]);
}

import type { MemoryProfile } from "@/lib/contracts/knowledge";
import { db } from "@/lib/db/pool";
import { invalidField, notFound } from "@/lib/domain/errors";
import { MAX_PROFILE_CHARACTERS } from "@/lib/domain/memory-rules";
import {
  MEMORY_COLUMNS,
  type MemoryProfileRow,
  type MemoryScope,
  toMemoryProfile,
} from "@/lib/services/memory/memory-profile-row";

const EDIT_PROFILE = `
  WITH m AS (
    INSERT INTO memory_profiles AS p (project_id, end_user_id, content)
    SELECT project_id, end_user_id, $3 FROM end_users WHERE project_id = $1 AND end_user_id = $2
    ON CONFLICT (project_id, end_user_id) DO UPDATE SET content = excluded.content, version = p.version + 1, updated_at = now()
    RETURNING *
  ),
  next_version AS (
    INSERT INTO memory_versions (project_id, end_user_id, version, content)
    SELECT m.project_id, m.end_user_id, m.version, m.content FROM m
  )
  SELECT ${MEMORY_COLUMNS} FROM m`;

/**
 * Replaces an end user's profile by what a person wrote.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND when the project has no such end user
 */
export async function editMemory(scope: MemoryScope, endUserId: string, content: string): Promise<MemoryProfile> {
  const text = content.trim();
  if (text === "") throw invalidField("content", "must not be empty");
  if (text.includes("\u0000") || !text.isWellFormed()) throw invalidField("content", "must be text (UTF-8, no NUL)");
  if (text.length > MAX_PROFILE_CHARACTERS) {
    throw invalidField("content", `must have at most ${MAX_PROFILE_CHARACTERS} characters`);
  }
  const { rows } = await db().query<MemoryProfileRow>(EDIT_PROFILE, [scope.projectId, endUserId, text]);
  if (!rows[0]) throw notFound("The end user");
  return toMemoryProfile(rows[0]);
}

import type { SaveResult } from "@/lib/contracts/edit-base";
import type { MemoryProfile } from "@/lib/contracts/knowledge";
import { inTransaction } from "@/lib/db/pool";
import { invalidField, notFound } from "@/lib/domain/errors";
import { MAX_PROFILE_CHARACTERS, MAX_PROFILE_VERSIONS } from "@/lib/domain/memory-rules";
import type { ProjectScope } from "@/lib/domain/principal";
import { type Actor, writeAudit } from "@/lib/services/accounts/record-audit";
import { getMemory } from "@/lib/services/memory/get-memory";
import { MEMORY_COLUMNS, type MemoryProfileRow, toMemoryProfile } from "@/lib/services/memory/memory-profile-row";

/**
 * With a base, only what still is as it was then is changed. A profile that was there and is gone does not come back: it
 * was erased, and who came anew under that name must not get its words. Who erases it at that moment is waited for.
 */
const EDIT_PROFILE = `
  WITH shown AS MATERIALIZED (SELECT FROM memory_profiles WHERE project_id = $1 AND end_user_id = $2 FOR UPDATE),
  m AS (
    INSERT INTO memory_profiles AS p (project_id, end_user_id, content)
    SELECT project_id, end_user_id, $3 FROM end_users WHERE project_id = $1 AND end_user_id = $2
      AND (coalesce($4::int, 0) = 0 OR EXISTS (SELECT FROM shown))
    ON CONFLICT (project_id, end_user_id) DO UPDATE SET content = excluded.content, version = p.version + 1, updated_at = now()
    WHERE $4::int IS NULL OR p.version = $4
    RETURNING *
  ),
  next_version AS (
    INSERT INTO memory_versions (project_id, end_user_id, version, content)
    SELECT m.project_id, m.end_user_id, m.version, m.content FROM m
  ),
  gone AS (
    DELETE FROM memory_versions v USING m WHERE v.project_id = $1 AND v.end_user_id = $2
      AND v.version BETWEEN 2 AND m.version - ${MAX_PROFILE_VERSIONS}
  )
  SELECT ${MEMORY_COLUMNS} FROM m`;

interface MemoryEdit {
  endUserId: string;
  /** Markdown. */
  content: string;
  /** The version that the person began with, 0 for none; absent: whatever is there is replaced. */
  baseVersion?: number;
}

/**
 * Replaces an end user's profile by what a person wrote; with a base, changes nothing when the AI or somebody else has
 * changed it since.
 * @throws AppError VALIDATION_FAILED, NOT_FOUND when the project has no such end user, or the base's profile is gone
 */
export async function editMemory(
  actor: Actor,
  scope: ProjectScope,
  { endUserId, content, baseVersion }: MemoryEdit,
): Promise<SaveResult<MemoryProfile>> {
  const text = checkedProfile(content);
  const saved = await inTransaction(async (tx) => {
    const { rows } = await tx.query<MemoryProfileRow>(EDIT_PROFILE, [
      scope.projectId,
      endUserId,
      text,
      baseVersion ?? null,
    ]);
    const [row] = rows;
    if (!row) return null;
    await writeAudit(tx, actor, {
      accountId: scope.accountId,
      action: "memory.edit",
      subject: endUserId,
      after: { version: row.version, characters: text.length },
    });
    return toMemoryProfile(row);
  });
  if (saved) return { outcome: "saved", saved };
  const current = await getMemory(scope, endUserId);
  if (!current) throw notFound(baseVersion ? "The profile" : "The end user");
  return { outcome: "conflict", current };
}

function checkedProfile(content: string): string {
  const text = content.trim();
  if (text === "") throw invalidField("content", "must not be empty");
  if (text.includes("\u0000") || !text.isWellFormed()) throw invalidField("content", "must be text (UTF-8, no NUL)");
  if (text.length > MAX_PROFILE_CHARACTERS) {
    throw invalidField("content", `must have at most ${MAX_PROFILE_CHARACTERS} characters`);
  }
  return text;
}

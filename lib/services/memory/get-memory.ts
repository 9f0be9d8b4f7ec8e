import type { MemoryProfile } from "@/lib/contracts/knowledge";
import { db } from "@/lib/db/pool";
import {
  MEMORY_COLUMNS,
  type MemoryProfileRow,
  type MemoryScope,
  toMemoryProfile,
} from "@/lib/services/memory/memory-profile-row";

/** What is known of an end user; null when there is no profile, also for another project's end user. */
export async function getMemory(scope: MemoryScope, endUserId: string): Promise<MemoryProfile | null> {
  const { rows } = await db().query<MemoryProfileRow>(
    `SELECT ${MEMORY_COLUMNS} FROM memory_profiles m WHERE m.project_id = $1 AND m.end_user_id = $2`,
    [scope.projectId, endUserId],
  );
  return rows[0] ? toMemoryProfile(rows[0]) : null;
}

import { inTransaction, type Transaction } from "@/lib/db/pool";
import type { UploadPlace } from "@/lib/services/files/discard-upload";
import { releaseSessionFiles, removeReleased } from "@/lib/services/files/release-files";
import type { BytesRemoval } from "@/lib/services/files/remove-bytes";
import { removeSessions } from "@/lib/services/sessions/remove-sessions";

const SESSIONS_AT_ONCE = 50;

/**
 * Removes a project's sessions without activity for so many days, with all that belongs to them; those in which work is
 * open stay. Safe beside calls and other sweeps: who holds a session's row has it.
 * @param most stops after about as many
 * @param removal of which that of their files is a part
 * @returns how many were removed
 */
export async function removeOldSessions(
  projectId: string,
  days: number,
  most: number,
  removal: BytesRemoval,
): Promise<number> {
  for (let removed = 0; ; ) {
    const batch = await inTransaction((tx) => removeBatch(tx, projectId, days));
    // They are gone whatever becomes of this: what cannot be removed now, the sweep of uploads removes.
    await removeReleased(batch.files, removal).catch(() => {});
    removed += batch.sessions;
    if (batch.sessions < SESSIONS_AT_ONCE || removed >= most) return removed;
  }
}

/** Sessions are older than their last activity: the first condition is for the index. */
async function removeBatch(
  tx: Transaction,
  projectId: string,
  days: number,
): Promise<{ sessions: number; files: UploadPlace[] }> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM sessions
     WHERE project_id = $1 AND created_at < now() - make_interval(days => $2)
       AND last_activity_at < now() - make_interval(days => $2) AND open_turns = 0
     ORDER BY created_at LIMIT ${SESSIONS_AT_ONCE} FOR UPDATE SKIP LOCKED`,
    [projectId, days],
  );
  const ids = rows.map(({ id }) => id);
  const files = await releaseSessionFiles(tx, ids);
  const { sessions = 0 } = await removeSessions(tx, ids);
  return { sessions, files };
}

import { db, type Transaction } from "@/lib/db/pool";
import { RELEASED_AT_SECONDS, type UploadPlace } from "@/lib/services/files/discard-upload";
import { MAY_COME_AGAIN, REMOVED_AGAIN_AT } from "@/lib/services/files/late-bytes";
import { BytesRemoval } from "@/lib/services/files/remove-bytes";

/**
 * Takes the files of sessions out of use, in the caller's transaction: from its commit on their addresses lead nowhere and
 * they are abandoned uploads, which `removeReleased` removes with their bytes and otherwise the next sweep does. Rolled
 * back, nothing has happened. In the order of lib/services/files/remove-files.ts.
 */
export async function releaseSessionFiles(tx: Transaction, sessionIds: readonly string[]): Promise<UploadPlace[]> {
  const { rows } = await tx.query<UploadPlace>(
    `WITH held AS MATERIALIZED (
       SELECT id FROM stored_files WHERE session_id = ANY($1::text[]) ORDER BY id FOR UPDATE),
     released AS (
       DELETE FROM stored_files f USING held WHERE f.id = held.id
       RETURNING storage_key, store, project_id, ${MAY_COME_AGAIN} AS may_come_again)
     INSERT INTO pending_uploads (storage_key, store, project_id, started_at)
     SELECT storage_key, store, CASE WHEN may_come_again THEN '' ELSE project_id END,
       CASE WHEN may_come_again THEN ${REMOVED_AGAIN_AT} ELSE to_timestamp(${RELEASED_AT_SECONDS}) END
     FROM released
     -- Of a file whose bytes were to go before, the row is there, and the sweep has it already.
     ON CONFLICT (storage_key) DO NOTHING
     RETURNING storage_key AS "storageKey", store`,
    [sessionIds],
  );
  return rows;
}

/**
 * Removes the bytes of released files, and their rows but for those by which the sweep looks again.
 * @param removal of which this is a part, where there is more
 */
export async function removeReleased(files: readonly UploadPlace[], removal = new BytesRemoval()): Promise<void> {
  const gone = await removal.remove(files);
  const keys = gone.map(({ storageKey }) => storageKey);
  await db().query(
    `DELETE FROM pending_uploads WHERE storage_key = ANY ($1) AND started_at = to_timestamp(${RELEASED_AT_SECONDS})`,
    [keys],
  );
}

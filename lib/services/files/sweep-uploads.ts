import { inTransaction, type Transaction } from "@/lib/db/pool";
import type { UploadPlace } from "@/lib/services/files/discard-upload";
import { BytesRemoval } from "@/lib/services/files/remove-bytes";

/** Longer than any upload may take: what is older has lost its request. */
export const ABANDONED_UPLOAD_MINUTES = 6 * 60;
/** One project alone may leave a hundred in two hours: of a sweep that takes too few, what is left would only grow. */
const MOST_PER_SWEEP = 20_000;

/**
 * Removes uploads that nobody adopted (their process died, or removing failed at the time), with their bytes.
 * Safe beside other sweeps and beside an adoption that is going on: one of them holds the row.
 * @returns how many were removed, and how many stay for the next sweep because their store failed
 */
export async function sweepUploads(
  olderThanMinutes = ABANDONED_UPLOAD_MINUTES,
): Promise<{ removed: number; failed: number }> {
  const removal = new BytesRemoval();
  const counts = { removed: 0, failed: 0 };
  while (counts.removed + counts.failed < MOST_PER_SWEEP) {
    const result = await inTransaction((tx) => removeOne(tx, olderThanMinutes, removal)).catch((error: unknown) => {
      if (error instanceof RemovalFailed) return "failed" as const;
      throw error;
    });
    if (result === null) break;
    counts[result] += 1;
  }
  return counts;
}

/** Rolls the transaction back, so that the row stays. */
class RemovalFailed extends Error {}

async function removeOne(tx: Transaction, olderThanMinutes: number, removal: BytesRemoval): Promise<"removed" | null> {
  const { rows } = await tx.query<UploadPlace>({
    name: "sweep-upload",
    text: `DELETE FROM pending_uploads WHERE storage_key = (
             SELECT storage_key FROM pending_uploads
             WHERE started_at < now() - make_interval(mins => $1) AND storage_key <> ALL ($2) AND store <> ALL ($3)
             ORDER BY started_at LIMIT 1 FOR UPDATE SKIP LOCKED)
           RETURNING storage_key AS "storageKey", store`,
    values: [olderThanMinutes, removal.failedKeys, removal.failedStores],
  });
  if (rows.length === 0) return null;
  const gone = await removal.remove(rows);
  if (gone.length === 0) throw new RemovalFailed();
  return "removed";
}

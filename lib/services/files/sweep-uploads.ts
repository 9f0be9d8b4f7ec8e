import { inTransaction, type Transaction } from "@/lib/db/pool";
import type { UploadPlace } from "@/lib/services/files/discard-upload";
import type { FileStoreKind } from "@/lib/storage/file-store";
import { fileStoreOf } from "@/lib/storage/select-store";

/** Longer than any upload may take: what is older has lost its request. */
export const ABANDONED_UPLOAD_MINUTES = 6 * 60;
/** One project alone may leave a hundred in two hours: of a sweep that takes too few, what is left would only grow. */
const MOST_PER_SWEEP = 20_000;
/** A store that fails so often is left alone until the next sweep: what waits for it keeps nobody else's. */
const MOST_FAILURES = 100;

/**
 * Removes uploads that nobody adopted (their process died, or removing failed at the time), with their bytes.
 * Safe beside other sweeps and beside an adoption that is going on: one of them holds the row.
 * @returns how many were removed, and how many stay for the next sweep because their store failed
 */
export async function sweepUploads(
  olderThanMinutes = ABANDONED_UPLOAD_MINUTES,
): Promise<{ removed: number; failed: number }> {
  let removed = 0;
  const failed: UploadPlace[] = [];
  while (removed + failed.length < MOST_PER_SWEEP) {
    const result = await inTransaction((tx) => removeOne(tx, olderThanMinutes, failed)).catch((error: unknown) => {
      if (error instanceof RemovalFailed) return error;
      throw error;
    });
    if (result === null) break;
    if (result instanceof RemovalFailed) failed.push(result.upload);
    else removed += 1;
  }
  return { removed, failed: failed.length };
}

function failedStores(failed: UploadPlace[]): FileStoreKind[] {
  const counts = Map.groupBy(failed, ({ store }) => store);
  return [...counts].flatMap(([store, { length }]) => (length < MOST_FAILURES ? [] : [store]));
}

/** Rolls the transaction back, so that the row stays. */
class RemovalFailed extends Error {
  constructor(
    readonly upload: UploadPlace,
    cause: unknown,
  ) {
    super("The bytes of an abandoned upload could not be removed.", { cause });
  }
}

async function removeOne(
  tx: Transaction,
  olderThanMinutes: number,
  except: UploadPlace[],
): Promise<UploadPlace | null> {
  const { rows } = await tx.query<UploadPlace>({
    name: "sweep-upload",
    text: `DELETE FROM pending_uploads WHERE storage_key = (
             SELECT storage_key FROM pending_uploads
             WHERE started_at < now() - make_interval(mins => $1) AND storage_key <> ALL ($2) AND store <> ALL ($3)
             ORDER BY started_at LIMIT 1 FOR UPDATE SKIP LOCKED)
           RETURNING storage_key AS "storageKey", store`,
    values: [olderThanMinutes, except.map(({ storageKey }) => storageKey), failedStores(except)],
  });
  const upload = rows[0];
  if (!upload) return null;
  try {
    await fileStoreOf(upload.store).remove(upload.storageKey);
  } catch (cause) {
    throw new RemovalFailed(upload, cause);
  }
  return upload;
}

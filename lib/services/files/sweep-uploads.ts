import { db } from "@/lib/db/pool";
import { log } from "@/lib/log";
import { RELEASED_AT_SECONDS, type UploadPlace } from "@/lib/services/files/discard-upload";
import { BytesRemoval } from "@/lib/services/files/remove-bytes";

/** Longer than any upload may take: what is older has lost its request, whether a process leases it or not. */
export const ABANDONED_UPLOAD_MINUTES = 6 * 60;
/** One project alone may leave a hundred in two hours: of a sweep that takes too few, what is left would only grow. */
const MOST_PER_SWEEP = 20_000;

/** At once: each may take a minute to fail. */
const BATCH_SIZE = 8;

/**
 * Removes uploads that nobody adopted (their process died, or removing failed at the time), with their bytes: those whose
 * lease is over, and others by their age.
 * Safe beside other sweeps and beside an adoption that is going on: the row is marked first, which no adoption takes then. No
 * connection to the database is held while the store is asked: Postgres ends a transaction that says nothing for 10 s, and
 * one file that takes so long would end the sweep, each time, before all others.
 * @returns how many were removed, and how many stay for the next sweep because their store failed
 */
export async function sweepUploads(
  olderThanMinutes = ABANDONED_UPLOAD_MINUTES,
): Promise<{ removed: number; failed: number }> {
  const removal = new BytesRemoval();
  let removed = 0;
  while (removed + removal.failedKeys.length < MOST_PER_SWEEP) {
    const released = await releaseSome(olderThanMinutes, removal);
    if (released.length === 0) break;
    const gone = await removal.remove(released);
    removed += await forget(gone);
    await putLast(released.filter((upload) => !gone.includes(upload)));
  }
  const failed = removal.failedKeys.length;
  // Whoever deleted what they belonged to was told that they go, and nobody else hears of it.
  if (failed > 0)
    log("warn", "Files that are to go could not be removed; the next sweep tries again.", { failed }, removal.failure);
  return { removed, failed };
}

async function releaseSome(olderThanMinutes: number, except: BytesRemoval): Promise<UploadPlace[]> {
  const { rows } = await db().query<UploadPlace>({
    name: "sweep-uploads",
    text: `UPDATE pending_uploads SET started_at = to_timestamp(${RELEASED_AT_SECONDS}), leased_until = NULL WHERE storage_key IN (
             SELECT storage_key FROM pending_uploads
             WHERE (started_at < now() - make_interval(mins => $1) OR leased_until < now()) AND storage_key <> ALL ($2) AND store <> ALL ($3)
             ORDER BY started_at DESC LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED)
           RETURNING storage_key AS "storageKey", store`,
    values: [olderThanMinutes, except.failedKeys, except.failedStores],
  });
  return rows;
}

/**
 * What cannot be removed comes after all else, and after what failed before it: as many as a sweep tries of a store that fails on
 * and on may be out of reach for good, and would be in the way of all others at each sweep. No adoption takes those either.
 */
async function putLast(failed: readonly UploadPlace[]): Promise<void> {
  if (failed.length === 0) return;
  await db().query({
    name: "put-swept-uploads-last",
    text: `UPDATE pending_uploads SET started_at = to_timestamp(${RELEASED_AT_SECONDS} - extract(epoch FROM now()))
           WHERE storage_key = ANY ($1::text[]) AND started_at = to_timestamp(${RELEASED_AT_SECONDS})`,
    values: [failed.map(({ storageKey }) => storageKey)],
  });
}

/** @returns how many no other sweep had forgotten before */
async function forget(gone: readonly UploadPlace[]): Promise<number> {
  const { rowCount } = await db().query({
    name: "forget-swept-uploads",
    text: `DELETE FROM pending_uploads
           WHERE storage_key = ANY ($1::text[]) AND started_at = to_timestamp(${RELEASED_AT_SECONDS})`,
    values: [gone.map(({ storageKey }) => storageKey)],
  });
  return rowCount ?? 0;
}

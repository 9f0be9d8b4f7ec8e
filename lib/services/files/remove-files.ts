import { db, inTransaction, type Transaction } from "@/lib/db/pool";
import { RELEASED_AT_SECONDS, type UploadPlace } from "@/lib/services/files/discard-upload";
import { MAY_COME_AGAIN, REMOVED_AGAIN_AT } from "@/lib/services/files/late-bytes";
import { removeReleased } from "@/lib/services/files/release-files";
import { BytesRemoval } from "@/lib/services/files/remove-bytes";

const BATCH_SIZE = 100;

/** A condition on `stored_files f` with its values: `$1` is the first. Never made of a client's text. */
export interface FileFilter {
  where: string;
  values: readonly unknown[];
}

interface StoredPlace extends UploadPlace {
  id: string;
}

/** What columns of `stored_files` are set to where a file is to go and its bytes may have to wait: nobody is told of it or reads it. */
export const NAMELESS_FILE = `
  name = '', deleted_at = coalesce(deleted_at, now()), extraction = NULL, transcript = NULL, transcript_draft = NULL`;

/**
 * Removes stored files for good: first their addresses lead nowhere, then the bytes go, then the rows. What a failure or
 * a crash leaves is found again by the same filter, for the row goes last.
 * @param most stops after about as many; absent: all
 * @param inBatch runs in the transaction in which rows go, with their number: what counts them counts each once
 * @returns how many were removed
 * @throws AppError SERVICE_UNAVAILABLE when one cannot be removed, after all others
 */
export async function removeFiles(
  filter: FileFilter,
  { most = Number.POSITIVE_INFINITY, inBatch = async () => {} }: { most?: number; inBatch?: InBatch } = {},
): Promise<number> {
  const removal = new BytesRemoval();
  // Not before the filter finds none: of those that were found, others may remove some meanwhile.
  for (let removed = 0; ; ) {
    const found = removed < most ? await findFiles(filter, removal) : [];
    if (found.length === 0) {
      removal.throwFailure();
      return removed;
    }
    await db().query(MARK, [idsOf(found)]);
    const gone = await removal.remove(found);
    removed += await removeRows(gone, inBatch);
  }
}

/** What is to be there together with the end of so many rows, or not at all. */
type InBatch = (tx: Transaction, files: number) => Promise<void>;

function removeRows(gone: readonly StoredPlace[], inBatch: InBatch): Promise<number> {
  return inTransaction(async (tx) => {
    const { rowCount } = await tx.query(REMOVE, [idsOf(gone)]);
    if (rowCount) await inBatch(tx, rowCount);
    return rowCount ?? 0;
  });
}

/**
 * Removes the bytes of stored files and what was read of them; their rows stay, so that a session still says what came
 * with it. First their addresses lead nowhere, so that nobody who opens one finds it lost, and its bytes are an abandoned
 * upload's: what a failure or a crash leaves of them, the next sweep of uploads removes. Of files that no client can send
 * bytes to any more (lib/services/files/late-bytes.ts).
 * @param most stops after about as many
 * @param removal of which this is a part, where there is more
 * @returns how many lost their bytes, or will with the next sweep of uploads
 */
export async function removeFileBytes(
  { where, values }: FileFilter,
  most: number,
  removal = new BytesRemoval(),
): Promise<number> {
  const filter = { where: `f.deleted_at IS NULL AND ${where}`, values };
  for (let removed = 0; ; ) {
    // Those of a store that is away too: they are out of use all the same, and are not found again.
    const found = removed < most ? await findFiles(filter, new BytesRemoval()) : [];
    if (found.length === 0) return removed;
    const { rows: released } = await db().query<UploadPlace>(RELEASE_BYTES, [idsOf(found)]);
    await removeReleased(released, removal).catch(() => {});
    removed += released.length;
  }
}

/** Files by their ids, `$1`, in one order: two that remove the same ones never wait for each other. */
const HELD = `
  WITH held AS MATERIALIZED (SELECT id FROM stored_files WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE)`;

const MARK = `${HELD}
  UPDATE stored_files f SET deleted_at = coalesce(f.deleted_at, now()) FROM held WHERE f.id = held.id`;

const REMOVE = `${HELD},
  removed AS (DELETE FROM stored_files f USING held WHERE f.id = held.id RETURNING storage_key, store, created_at),
  again AS (
    INSERT INTO pending_uploads (storage_key, store, project_id, started_at)
    SELECT storage_key, store, '', ${REMOVED_AGAIN_AT} FROM removed WHERE ${MAY_COME_AGAIN})
  SELECT FROM removed`;

/** Of two that find the same files, the second finds them marked. */
const RELEASE_BYTES = `${HELD},
  marked AS (
    UPDATE stored_files f SET deleted_at = now(), extraction = NULL, transcript = NULL, transcript_draft = NULL
    FROM held WHERE f.id = held.id AND f.deleted_at IS NULL
    RETURNING storage_key, store, project_id)
  INSERT INTO pending_uploads (storage_key, store, project_id, started_at)
  SELECT storage_key, store, project_id, to_timestamp(${RELEASED_AT_SECONDS}) FROM marked
  RETURNING storage_key AS "storageKey", store`;

async function findFiles({ where, values }: FileFilter, except: BytesRemoval): Promise<StoredPlace[]> {
  const next = values.length + 1;
  const { rows } = await db().query<StoredPlace>(
    `SELECT f.id, f.store, f.storage_key AS "storageKey" FROM stored_files f
     WHERE (${where}) AND f.storage_key <> ALL ($${next}::text[]) AND f.store <> ALL ($${next + 1}::text[])
     LIMIT ${BATCH_SIZE}`,
    [...values, except.failedKeys, except.failedStores],
  );
  return rows;
}

const idsOf = (places: readonly StoredPlace[]) => places.map(({ id }) => id);

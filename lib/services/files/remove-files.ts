import { db } from "@/lib/db/pool";
import type { UploadPlace } from "@/lib/services/files/discard-upload";
import { MAY_COME_AGAIN, REMOVED_AGAIN_AT } from "@/lib/services/files/late-bytes";
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

/**
 * Removes stored files for good: first their addresses lead nowhere, then the bytes go, then the rows. What a failure or
 * a crash leaves is found again by the same filter, for the row goes last.
 * @param most stops after about as many; absent: all
 * @returns how many were removed
 * @throws AppError SERVICE_UNAVAILABLE when one cannot be removed, after all others
 */
export function removeFiles(filter: FileFilter, most = Number.POSITIVE_INFINITY): Promise<number> {
  return removeInBatches(filter, most, {
    before: `${HELD} UPDATE stored_files f SET deleted_at = coalesce(f.deleted_at, now()) FROM held WHERE f.id = held.id`,
    after: `${HELD}, removed AS (
              DELETE FROM stored_files f USING held WHERE f.id = held.id RETURNING storage_key, store, created_at),
            again AS (
              INSERT INTO pending_uploads (storage_key, store, project_id, started_at)
              SELECT storage_key, store, '', ${REMOVED_AGAIN_AT} FROM removed WHERE ${MAY_COME_AGAIN})
            SELECT FROM removed`,
  });
}

/**
 * Removes the bytes of stored files and what was read of them; their rows stay, so that a session still says what came
 * with it. A failure or a crash leaves files that the same filter finds again.
 * @param most stops after about as many
 * @returns how many lost their bytes
 * @throws AppError SERVICE_UNAVAILABLE when one cannot be removed, after all others
 */
export function removeFileBytes({ where, values }: FileFilter, most: number): Promise<number> {
  return removeInBatches({ where: `f.deleted_at IS NULL AND ${where}`, values }, most, {
    after: `${HELD} UPDATE stored_files f SET deleted_at = now(), extraction = NULL, transcript = NULL, transcript_draft = NULL
            FROM held WHERE f.id = held.id`,
  });
}

/** Files by their ids, `$1`, in one order: two that remove the same ones never wait for each other. */
const HELD = `
  WITH held AS MATERIALIZED (SELECT id FROM stored_files WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE)`;

/** Statements about files by their ids, before their bytes go and after. */
interface Removal {
  before?: string;
  after: string;
}

/** Ends when the filter finds none, and not before: of those that were found, others may remove some meanwhile. */
async function removeInBatches(filter: FileFilter, most: number, { before, after }: Removal): Promise<number> {
  const removal = new BytesRemoval();
  for (let removed = 0; ; ) {
    const found = removed < most ? await findFiles(filter, removal) : [];
    if (found.length === 0) {
      removal.throwFailure();
      return removed;
    }
    if (before) await db().query(before, [idsOf(found)]);
    const gone = await removal.remove(found);
    removed += (await db().query(after, [idsOf(gone)])).rowCount ?? 0;
  }
}

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

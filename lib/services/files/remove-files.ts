import { db } from "@/lib/db/pool";
import type { FileStoreKind } from "@/lib/storage/file-store";
import { fileStoreOf } from "@/lib/storage/select-store";

const BATCH_SIZE = 100;
const REMOVED_AT_ONCE = 8;

/** A condition on `stored_files f` with its values: `$1` is the first. Never made of a client's text. */
export interface FileFilter {
  where: string;
  values: readonly unknown[];
}

interface StoredPlace {
  id: string;
  store: FileStoreKind;
  storageKey: string;
}

/**
 * Removes stored files for good: first their addresses lead nowhere, then the bytes go, then the rows. What a failure or
 * a crash leaves is found again by the same filter, for the row goes last.
 * @param most stops after about as many; absent: all
 * @returns how many were removed
 * @throws AppError SERVICE_UNAVAILABLE when a store fails
 */
export async function removeFiles({ where, values }: FileFilter, most = Number.POSITIVE_INFINITY): Promise<number> {
  for (let removed = 0; ; ) {
    const { rows } = await db().query<StoredPlace>(
      `UPDATE stored_files SET deleted_at = coalesce(deleted_at, now())
       WHERE id IN (SELECT f.id FROM stored_files f WHERE ${where} LIMIT ${BATCH_SIZE})
       RETURNING id, store, storage_key AS "storageKey"`,
      [...values],
    );
    await removeBytes(rows);
    const { rowCount } = await db().query("DELETE FROM stored_files WHERE id = ANY($1)", [rows.map(({ id }) => id)]);
    removed += rowCount ?? 0;
    if (rows.length < BATCH_SIZE || removed >= most) return removed;
  }
}

/**
 * Removes the bytes of stored files and what was read of them; their rows stay, so that a session still says what came
 * with it. A failure or a crash leaves files that the same filter finds again.
 * @param most stops after about as many
 * @returns how many lost their bytes
 * @throws AppError SERVICE_UNAVAILABLE when a store fails
 */
export async function removeFileBytes({ where, values }: FileFilter, most: number): Promise<number> {
  for (let removed = 0; ; ) {
    const { rows } = await db().query<StoredPlace>(
      `SELECT f.id, f.store, f.storage_key AS "storageKey" FROM stored_files f
       WHERE f.deleted_at IS NULL AND ${where} LIMIT ${BATCH_SIZE}`,
      [...values],
    );
    await removeBytes(rows);
    const { rowCount } = await db().query(
      "UPDATE stored_files SET deleted_at = now(), extraction = NULL, transcript = NULL WHERE id = ANY($1)",
      [rows.map(({ id }) => id)],
    );
    removed += rowCount ?? 0;
    if (rows.length < BATCH_SIZE || removed >= most) return removed;
  }
}

async function removeBytes(places: readonly StoredPlace[]): Promise<void> {
  for (let start = 0; start < places.length; start += REMOVED_AT_ONCE) {
    const some = places.slice(start, start + REMOVED_AT_ONCE);
    await Promise.all(some.map(({ store, storageKey }) => fileStoreOf(store).remove(storageKey)));
  }
}

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
 * @throws AppError SERVICE_UNAVAILABLE when a store fails, after the files of the others
 */
export function removeFiles(filter: FileFilter, most = Number.POSITIVE_INFINITY): Promise<number> {
  return removeInBatches(filter, most, {
    before: `${HELD} UPDATE stored_files f SET deleted_at = coalesce(f.deleted_at, now()) FROM held WHERE f.id = held.id`,
    after: `${HELD} DELETE FROM stored_files f USING held WHERE f.id = held.id`,
  });
}

/**
 * Removes the bytes of stored files and what was read of them; their rows stay, so that a session still says what came
 * with it. A failure or a crash leaves files that the same filter finds again.
 * @param most stops after about as many
 * @returns how many lost their bytes
 * @throws AppError SERVICE_UNAVAILABLE when a store fails, after the files of the others
 */
export function removeFileBytes({ where, values }: FileFilter, most: number): Promise<number> {
  return removeInBatches({ where: `f.deleted_at IS NULL AND ${where}`, values }, most, {
    after: `${HELD} UPDATE stored_files f SET deleted_at = now(), extraction = NULL, transcript = NULL
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

/**
 * Ends when the filter finds none, and not before: of those that were found, others may remove some meanwhile. A store that
 * fails is left alone until the next time, so that it keeps no other's files.
 */
async function removeInBatches(filter: FileFilter, most: number, { before, after }: Removal): Promise<number> {
  const failures = new Map<FileStoreKind, unknown>();
  for (let removed = 0; ; ) {
    const found = removed < most ? await findFiles(filter, [...failures.keys()]) : [];
    if (found.length === 0) {
      for (const failure of failures.values()) throw failure;
      return removed;
    }
    if (before) await db().query(before, [found.map(({ id }) => id)]);
    const gone = await removeBytes(found, failures);
    removed += (await db().query(after, [gone])).rowCount ?? 0;
  }
}

async function findFiles({ where, values }: FileFilter, failedStores: FileStoreKind[]): Promise<StoredPlace[]> {
  const { rows } = await db().query<StoredPlace>(
    `SELECT f.id, f.store, f.storage_key AS "storageKey" FROM stored_files f
     WHERE (${where}) AND f.store <> ALL ($${values.length + 1}::text[]) LIMIT ${BATCH_SIZE}`,
    [...values, failedStores],
  );
  return rows;
}

/** Returns the ids of the files whose bytes are gone, and notes which stores failed, and how. */
async function removeBytes(places: readonly StoredPlace[], failures: Map<FileStoreKind, unknown>): Promise<string[]> {
  const gone: string[] = [];
  for (let start = 0; start < places.length; start += REMOVED_AT_ONCE) {
    const some = places.slice(start, start + REMOVED_AT_ONCE).filter(({ store }) => !failures.has(store));
    await Promise.all(
      some.map(async ({ id, store, storageKey }) => {
        try {
          await fileStoreOf(store).remove(storageKey);
          gone.push(id);
        } catch (error) {
          if (!failures.has(store)) failures.set(store, error);
        }
      }),
    );
  }
  return gone;
}

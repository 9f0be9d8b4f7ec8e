import { db } from "@/lib/db/pool";
import { endLease } from "@/lib/services/files/lease-upload";
import type { FileStoreKind } from "@/lib/storage/file-store";
import { fileStoreOf } from "@/lib/storage/select-store";

/** Where the bytes of an upload are. */
export interface UploadPlace {
  storageKey: string;
  store: FileStoreKind;
}

/** When an upload began whose bytes are to go, for the sweep: before all others, which tells it from those that can be used. */
export const RELEASED_AT_SECONDS = 0;

/**
 * Removes the bytes of an upload that nobody adopted, with its row; when that fails the row stays for the sweep. An
 * upload that was adopted stays as it is, also when the adopting commit is still on its way: the row's lock waits for it.
 * Bytes without any row go too: whoever took the row while they came in found nothing to remove yet. No connection to the
 * database is held meanwhile: a store that says nothing would soon hold all.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function discardUpload({ storageKey, store }: UploadPlace): Promise<void> {
  endLease(storageKey);
  const released = await db().query({
    name: "release-upload",
    text: `UPDATE pending_uploads SET started_at = to_timestamp(${RELEASED_AT_SECONDS}), leased_until = NULL
           WHERE storage_key = $1`,
    values: [storageKey],
  });
  if (released.rowCount === 0 && (await isAdopted(storageKey))) return;
  await fileStoreOf(store).remove(storageKey);
  await deleteRow(storageKey);
}

/**
 * Ends an upload of which its store was given nothing. The store is not asked: one on disk that never had a file takes any that
 * is missing for one that it cannot see.
 */
export async function forgetUpload(storageKey: string): Promise<void> {
  endLease(storageKey);
  await deleteRow(storageKey);
}

async function deleteRow(storageKey: string): Promise<void> {
  await db().query({
    name: "discard-upload",
    text: "DELETE FROM pending_uploads WHERE storage_key = $1",
    values: [storageKey],
  });
}

/** Whether a call has made an upload its file. */
export async function isAdopted(storageKey: string): Promise<boolean> {
  const { rowCount } = await db().query({
    name: "find-adopted-upload",
    text: "SELECT FROM stored_files WHERE storage_key = $1",
    values: [storageKey],
  });
  return rowCount === 1;
}

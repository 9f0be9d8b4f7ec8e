import { db } from "@/lib/db/pool";
import type { FileStoreKind } from "@/lib/storage/file-store";
import { fileStoreOf } from "@/lib/storage/select-store";

/** Where the bytes of an upload are. */
export interface UploadPlace {
  storageKey: string;
  store: FileStoreKind;
}

/**
 * Removes the bytes of an upload that nobody adopted, then its row: in this order, so that a failure leaves the row for the
 * sweep. An upload that was adopted stays as it is.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function discardUpload({ storageKey, store }: UploadPlace): Promise<void> {
  const adopted = await db().query({
    name: "find-adopted-upload",
    text: "SELECT 1 FROM stored_files WHERE storage_key = $1",
    values: [storageKey],
  });
  if (adopted.rowCount !== 0) return;
  await fileStoreOf(store).remove(storageKey);
  await db().query({
    name: "end-upload",
    text: "DELETE FROM pending_uploads WHERE storage_key = $1",
    values: [storageKey],
  });
}

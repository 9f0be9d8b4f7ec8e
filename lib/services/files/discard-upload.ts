import { db } from "@/lib/db/pool";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { fileStoreOf } from "@/lib/storage/select-store";

/**
 * Removes the bytes of an upload that nobody adopted, then its row: in this order, so that a failure leaves the row for the
 * sweep. An upload that was adopted stays as it is.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function discardUpload({ storageKey, store }: Pick<UploadDraft, "storageKey" | "store">): Promise<void> {
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

import { inTransaction, type Transaction } from "@/lib/db/pool";
import type { FileStoreKind } from "@/lib/storage/file-store";
import { fileStoreOf } from "@/lib/storage/select-store";

/** Where the bytes of an upload are. */
export interface UploadPlace {
  storageKey: string;
  store: FileStoreKind;
}

/**
 * Removes the bytes of an upload that nobody adopted, with its row; when that fails the row stays for the sweep. An
 * upload that was adopted stays as it is, also when the adopting commit is still on its way: the row's lock waits for it.
 * Bytes without any row go too: whoever took the row while they came in, as the erasure of an account does, found nothing
 * to remove yet.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function discardUpload({ storageKey, store }: UploadPlace): Promise<void> {
  await inTransaction(async (tx) => {
    const { rowCount } = await tx.query({
      name: "discard-upload",
      text: "DELETE FROM pending_uploads WHERE storage_key = $1",
      values: [storageKey],
    });
    if (rowCount || !(await isAdopted(tx, storageKey))) await fileStoreOf(store).remove(storageKey);
  });
}

async function isAdopted(tx: Transaction, storageKey: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: "find-adopted-upload",
    text: "SELECT FROM stored_files WHERE storage_key = $1",
    values: [storageKey],
  });
  return rowCount === 1;
}

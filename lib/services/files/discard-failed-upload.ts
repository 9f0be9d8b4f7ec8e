import { db } from "@/lib/db/pool";
import type { UploadPlace } from "@/lib/services/files/discard-upload";
import { UNSAID_AGAIN_AT } from "@/lib/services/files/late-bytes";
import { endLease } from "@/lib/services/files/lease-upload";
import { fileStoreOf } from "@/lib/storage/select-store";

/**
 * Removes the bytes of an upload whose store failed without saying what became of them, and leaves its row: a store that had them
 * all may make a file of them yet, after this found none. The sweep removes it then.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function discardFailedUpload({ storageKey, store }: UploadPlace): Promise<void> {
  endLease(storageKey);
  await db().query({
    name: "leave-failed-upload",
    text: `UPDATE pending_uploads SET started_at = ${UNSAID_AGAIN_AT}, leased_until = NULL WHERE storage_key = $1`,
    values: [storageKey],
  });
  await fileStoreOf(store).remove(storageKey);
}

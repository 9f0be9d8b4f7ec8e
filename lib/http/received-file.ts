import { discardUpload } from "@/lib/services/files/discard-upload";
import type { HeldFile } from "@/lib/services/files/hold-upload";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { waitBriefly } from "@/lib/services/files/wait-briefly";

/** A file of a request: stored but not yet anybody's, or held in memory where the definition says so. */
export type ReceivedFile = UploadDraft | HeldFile;

/** Removes what a request left in the store, or leaves it to the sweep; what is held in memory goes by itself. Never throws. */
export async function discardFile(file: ReceivedFile): Promise<void> {
  if ("storageKey" in file) await waitBriefly(discardUpload(file));
}

import { db } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { safeDisplayName } from "@/lib/domain/file-name";
import { MAX_FILE_BYTES } from "@/lib/domain/limits";
import type { Principal } from "@/lib/domain/principal";
import { detectContentType } from "@/lib/services/files/detect-content-type";
import { discardFailedUpload } from "@/lib/services/files/discard-failed-upload";
import { discardUpload, forgetUpload, type UploadPlace } from "@/lib/services/files/discard-upload";
import { fileUrl } from "@/lib/services/files/file-url";
import { keepLease, NEW_LEASE } from "@/lib/services/files/lease-upload";
import { waitBriefly } from "@/lib/services/files/wait-briefly";
import { fileStore } from "@/lib/storage/select-store";
import { newStorageKey } from "@/lib/storage/storage-key";

/** Whose file it is; a principal is one. */
export type FileOwner = Pick<Principal, "accountId" | "projectId">;

export interface UploadInput {
  /** As the client words it; kept as a label only. */
  name: string;
  /** As the client claims; the content decides. */
  contentType: string;
  stream: AsyncIterable<Uint8Array>;
  /** Default 500 MB (§8). */
  maxBytes?: number;
  signal?: AbortSignal;
}

/** A file in the store that belongs to nobody yet: adopt it or discard it. */
export interface UploadDraft extends UploadPlace {
  /** As `fileUrl` makes it. */
  url: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
  /** Safe to show. */
  name: string;
  /** What the content is. */
  contentType: string;
  /** Uploaded before the call (docs/decisions/0022): a quote or a refusal leaves it for the next one. */
  isByReference?: true;
}

/**
 * Streams an upload into the file store under a random key. A row in `pending_uploads` is written first, so that
 * whatever happens afterwards the sweep finds the bytes; of a process that dies, once its lease is over
 * (lib/services/files/lease-upload.ts).
 * @throws AppError FILE_TOO_LARGE, SERVICE_UNAVAILABLE; what the stream throws. Nothing is left then; of a store
 * that is away, what the sweep removes.
 */
export async function storeUpload(owner: FileOwner, input: UploadInput): Promise<UploadDraft> {
  const store = fileStore();
  const upload = { storageKey: newStorageKey(), store: store.kind };
  await db().query({
    name: "begin-upload",
    text: `INSERT INTO pending_uploads (storage_key, store, project_id, leased_until) VALUES ($1, $2, $3, ${NEW_LEASE})`,
    values: [upload.storageKey, upload.store, owner.projectId],
  });
  keepLease(upload.storageKey);
  const begun = await detectContentType(input.stream, input.contentType).catch(async (error) => {
    await waitBriefly(forgetUpload(upload.storageKey));
    throw error;
  });
  try {
    const { contentType, whole } = begun;
    const { maxBytes = MAX_FILE_BYTES, signal } = input;
    const written = await store.write(upload.storageKey, whole, { contentType, maxBytes, ...(signal && { signal }) });
    return { ...upload, url: fileUrl(upload.storageKey), ...written, name: safeDisplayName(input.name), contentType };
  } catch (error) {
    // The first failure is what the caller has to know; what stays behind is the sweep's.
    const isStoreAway = error instanceof AppError && error.code === "SERVICE_UNAVAILABLE";
    // What goes over a network may be done after its answer was waited for in vain.
    const isUnsaid = isStoreAway && store.kind === "blob";
    const discarded = waitBriefly(isUnsaid ? discardFailedUpload(upload) : discardUpload(upload));
    // A store that is away would keep the caller as long again as it took to fail.
    if (!isStoreAway) await discarded;
    throw error;
  }
}

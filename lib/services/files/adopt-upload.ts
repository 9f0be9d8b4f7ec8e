import type { Transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { RELEASED_AT_SECONDS } from "@/lib/services/files/discard-upload";
import type { FileOwner, UploadDraft } from "@/lib/services/files/store-upload";
import { uploadNotFound } from "@/lib/services/files/upload-ticket";

/** What a stored file belongs to. */
export interface FileUse {
  sessionId: string;
  turnId: string;
  /** Null: the session's, if it has one. */
  endUserId: string | null;
  purpose: "input" | "output";
}

/**
 * Makes an upload a file of a session, in the caller's transaction: rolled back, it is an unadopted upload again.
 * @param fileId a new one, where the caller has to know it before
 * @returns the file's id
 * @throws AppError SERVICE_UNAVAILABLE when the sweep has taken the upload for abandoned; NOT_FOUND for one by reference that
 * another call took before, also when what it made of it was deleted since
 */
export async function adoptUpload(
  tx: Transaction,
  owner: FileOwner,
  draft: UploadDraft,
  use: FileUse,
  fileId = newId("file"),
): Promise<string> {
  const { rowCount } = await tx.query({
    name: "adopt-upload",
    text: `WITH pending AS (
             DELETE FROM pending_uploads
             WHERE storage_key = $9 AND project_id = $3 AND started_at > to_timestamp(${RELEASED_AT_SECONDS}) RETURNING 1)
           INSERT INTO stored_files (id, account_id, project_id, session_id, turn_id, end_user_id, purpose, store,
                                     storage_key, url, name, content_type, size, sha256)
           SELECT $1, $2, $3, $4, $5, coalesce($6, (SELECT end_user_id FROM sessions WHERE id = $4)), $7, $8, $9, $10,
                  $11, $12, $13, $14 FROM pending`,
    values: [
      fileId,
      owner.accountId,
      owner.projectId,
      use.sessionId,
      use.turnId,
      use.endUserId,
      use.purpose,
      draft.store,
      draft.storageKey,
      draft.url,
      draft.name,
      draft.contentType,
      draft.size,
      draft.sha256,
    ],
  });
  if (rowCount === 1) return fileId;
  if (draft.isByReference) throw uploadNotFound();
  throw new AppError("SERVICE_UNAVAILABLE", "The uploaded file is not there any more; send it again.");
}

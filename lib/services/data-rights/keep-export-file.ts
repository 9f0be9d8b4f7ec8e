import type { Transaction } from "@/lib/db/pool";
import { EXPORT_DAYS } from "@/lib/services/data-rights/write-export";
import { RELEASED_AT_SECONDS } from "@/lib/services/files/discard-upload";
import type { FileOwner, UploadDraft } from "@/lib/services/files/store-upload";

/** What becomes of a file that was written. */
interface ExportFile {
  fileId: string;
  owner: FileOwner;
  /** Neither is reached by an address: only people of the account may open them. */
  purpose: "export" | "account-export";
  /** Null: it is not of one end user. */
  endUserId: string | null;
}

/**
 * Makes an export a stored file that is removed after its days, in the transaction of its receipt. It takes the place of the
 * one before of the same account or end user, which the next sweep removes: they are as large as all that is kept.
 * @throws Error when the file was removed meanwhile, or is just being, as an upload whose request died is; roll back, and write it again
 */
export async function keepExportFile(tx: Transaction, draft: UploadDraft, file: ExportFile): Promise<void> {
  const { rowCount } = await tx.query(
    `WITH pending AS (
       DELETE FROM pending_uploads WHERE storage_key = $6 AND started_at > to_timestamp(${RELEASED_AT_SECONDS}) RETURNING 1),
     before AS (
       UPDATE stored_files SET expires_at = now()
       WHERE account_id = $2 AND project_id = $3 AND purpose = $4 AND end_user_id IS NOT DISTINCT FROM $12
         AND expires_at > now()
     )
     INSERT INTO stored_files (id, account_id, project_id, end_user_id, purpose, store, storage_key, url, name,
                               content_type, size, sha256, expires_at)
     SELECT $1, $2, $3, $12, $4, $5, $6, $7, $8, $9, $10, $11, now() + interval '${EXPORT_DAYS} days' FROM pending`,
    [
      file.fileId,
      file.owner.accountId,
      file.owner.projectId,
      file.purpose,
      draft.store,
      draft.storageKey,
      draft.url,
      draft.name,
      draft.contentType,
      draft.size,
      draft.sha256,
      file.endUserId,
    ],
  );
  if (rowCount !== 1) throw new Error("The file of an export was removed before it was kept.");
}

import type { CreateUploadBody, CreateUploadResponse } from "@/lib/contracts/uploads";
import { db, inTransaction } from "@/lib/db/pool";
import { AppError } from "@/lib/domain/errors";
import { safeDisplayName } from "@/lib/domain/file-name";
import { MAX_FILE_BYTES, MAX_OPEN_UPLOADS, UPLOAD_USE_MINUTES } from "@/lib/domain/limits";
import { env } from "@/lib/env";
import type { FileOwner } from "@/lib/services/files/store-upload";
import { sealTicket, type UploadTicket, uploadExpiry } from "@/lib/services/files/upload-ticket";
import { fileTooLarge } from "@/lib/storage/byte-meter";
import type { FileStoreKind } from "@/lib/storage/file-store";
import { fileStore } from "@/lib/storage/select-store";
import { newStorageKey } from "@/lib/storage/storage-key";

const RETRY_WHEN_MANY_SECONDS = 60;

/**
 * Gives an address to which a client sends a file by itself, and the ticket to use it by. Its row in `pending_uploads` is
 * there before its bytes: what is never used, the sweep removes.
 * @throws AppError FILE_TOO_LARGE; RATE_LIMITED while too many uploads of the project wait to be used; SERVICE_UNAVAILABLE
 */
export async function beginUpload(owner: FileOwner, body: CreateUploadBody): Promise<CreateUploadResponse> {
  if (body.size > MAX_FILE_BYTES) throw fileTooLarge(MAX_FILE_BYTES, "size");
  const store = fileStore();
  const storageKey = newStorageKey();
  await store.prepare(storageKey, () => isNew(store.kind));
  const ticket: UploadTicket = {
    projectId: owner.projectId,
    storageKey,
    store: store.kind,
    name: safeDisplayName(body.name),
    size: body.size,
    contentType: body.contentType ?? "",
    startedAtMs: await insertPending(owner, storageKey, store.kind),
  };
  const uploadId = sealTicket(ticket);
  const expiresAt = uploadExpiry(ticket);
  const direct = await store.grantUpload(storageKey, { maxBytes: body.size, expiresAt });
  return {
    uploadId,
    uploadUrl: direct?.url ?? `${env().STORAGE_URL}/files/${uploadId}`,
    method: "PUT",
    headers: { "content-type": "application/octet-stream", ...direct?.headers },
    expiresAt: expiresAt.toISOString(),
    maxBytes: body.size,
  };
}

/** Whether a store holds nothing that is known: whatever may be there, a file or a part of one, has its row. */
async function isNew(store: FileStoreKind): Promise<boolean> {
  const { rowCount } = await db().query({
    name: "is-store-new",
    text: `SELECT WHERE NOT EXISTS (SELECT FROM stored_files WHERE store = $1)
             AND NOT EXISTS (SELECT FROM pending_uploads WHERE store = $1)`,
    values: [store],
  });
  return rowCount === 1;
}

async function insertPending({ projectId }: FileOwner, storageKey: string, store: string): Promise<number> {
  const rows = await inTransaction(async (tx) => {
    // Calls at once would each count those that were there before them.
    await tx.query({
      name: "lock-direct-uploads",
      text: "SELECT pg_advisory_xact_lock(hashtextextended('direct uploads ' || $1::text, 0))",
      values: [projectId],
    });
    const inserted = await tx.query<{ started_at: Date }>({
      name: "begin-direct-upload",
      text: `INSERT INTO pending_uploads (storage_key, store, project_id)
             SELECT $1, $2, $3 WHERE $4 > (SELECT count(*) FROM pending_uploads
               WHERE project_id = $3 AND started_at > now() - make_interval(mins => $5))
             RETURNING started_at`,
      values: [storageKey, store, projectId, MAX_OPEN_UPLOADS, UPLOAD_USE_MINUTES],
    });
    return inserted.rows;
  });
  const startedAt = rows[0]?.started_at;
  if (startedAt) return new Date(startedAt).getTime();
  throw new AppError(
    "RATE_LIMITED",
    `${MAX_OPEN_UPLOADS} uploads of this project wait to be used. Use them, or try again later.`,
    { retryAfterSeconds: RETRY_WHEN_MANY_SECONDS },
  );
}

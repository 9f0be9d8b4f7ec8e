import { db } from "@/lib/db/pool";
import type { ByteRange } from "@/lib/domain/byte-range";
import { type AppError, notFound } from "@/lib/domain/errors";
import { log } from "@/lib/log";
import { exactBytes } from "@/lib/storage/exact-bytes";
import type { FileStoreKind, StoredBytes } from "@/lib/storage/file-store";
import { fileStoreOf } from "@/lib/storage/select-store";
import { isStorageKey } from "@/lib/storage/storage-key";
import { storeAway } from "@/lib/storage/store-away";

/** A stored file, ready to be read. */
export interface OpenFile {
  id: string;
  name: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Lower-case hex. */
  sha256: string;
  /**
   * Its bytes, or a part of them. Opens nothing before it is called. They are as many as `size` or the range says: a file that is
   * cut short while it is read fails where it ends.
   * @throws AppError NOT_FOUND when the store has lost them, or has others than were stored; SERVICE_UNAVAILABLE
   */
  read(range?: ByteRange): Promise<StoredBytes["stream"]>;
  /**
   * Looks whether `read` would give its bytes, and reads none.
   * @throws AppError as `read`
   */
  find(): Promise<void>;
}

/** Exports have no address: sessions of the panel open them, and end with what allowed it. */
const IS_NO_EXPORT = "purpose NOT IN ('export', 'account-export')";

/**
 * Opens a file by its unguessable key, for whoever has its address (§2.2 `fileUrl`).
 * @throws AppError NOT_FOUND when there is none, or it was deleted, or its time is over
 */
export async function openStoredFile(storageKey: string): Promise<OpenFile> {
  if (!isStorageKey(storageKey)) throw notFound("This file");
  return findFile("open-file-by-key", `storage_key = $1 AND ${IS_NO_EXPORT}`, [storageKey]);
}

/**
 * Opens an export of an account, which nobody reaches by an address.
 * @throws AppError NOT_FOUND also for another account's
 */
export async function openAccountExportFile(accountId: string, fileId: string): Promise<OpenFile> {
  const condition = "id = $1 AND account_id = $2 AND purpose = 'account-export'";
  return findFile("open-account-export", condition, [fileId, accountId]);
}

/**
 * Opens an export of an end user, which nobody reaches by an address.
 * @throws AppError NOT_FOUND also for another project's
 */
export async function openEndUserExportFile(projectId: string, fileId: string): Promise<OpenFile> {
  const condition = "id = $1 AND project_id = $2 AND purpose = 'export'";
  return findFile("open-end-user-export", condition, [fileId, projectId]);
}

/**
 * Opens a file of a project, for the project's own calls and its background work.
 * @throws AppError NOT_FOUND also for another project's file
 */
export async function openProjectFile(projectId: string, fileId: string): Promise<OpenFile> {
  return findFile("open-file-by-id", `id = $1 AND project_id = $2 AND ${IS_NO_EXPORT}`, [fileId, projectId]);
}

interface FileRow {
  id: string;
  name: string;
  content_type: string;
  size: number;
  sha256: string;
  store: FileStoreKind;
  storage_key: string;
}

async function findFile(statement: string, condition: string, values: string[]): Promise<OpenFile> {
  const { rows } = await db().query<FileRow>({
    name: statement,
    text: `SELECT id, name, content_type, size, sha256, store, storage_key FROM stored_files
           WHERE ${condition} AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    values,
  });
  const row = rows[0];
  if (!row) throw notFound("This file");
  return {
    id: row.id,
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    sha256: row.sha256,
    read: (range) => readWhole(row, range),
    find: () => findWhole(row),
  };
}

/** A file that was cut short would be served and answered from as if it were whole, and its end waited for in vain. */
async function readWhole(row: FileRow, range: ByteRange | undefined): Promise<StoredBytes["stream"]> {
  const found = await fileStoreOf(row.store).read(row.storage_key, range);
  if (found?.size !== row.size) {
    await found?.stream.cancel();
    throw await lost(row, found?.size ?? null);
  }
  const promised = range ? range.end - range.start + 1 : row.size;
  const onOther = (came: number) => {
    tellOfLoss(row, { bytesPromised: promised, bytesThere: came });
    return storeAway(new Error(`The store gave ${came} of ${promised} bytes.`));
  };
  return exactBytes(found.stream, promised, onOther, (error, came) => {
    const about = { ...aboutFile(row), bytesPromised: promised, bytesThere: came };
    log("warn", "The store broke off while a file was read.", about, error);
  });
}

async function findWhole(row: FileRow): Promise<void> {
  const size = await fileStoreOf(row.store).sizeOf(row.storage_key);
  if (size !== row.size) throw await lost(row, size);
}

/** What was deleted since it was found is not lost: whoever deletes a session, or erases an end user, asks for no quiet first. */
async function lost(row: FileRow, bytesThere: number | null): Promise<AppError> {
  const { rowCount } = await db().query({
    name: "is-file-still-there",
    text: "SELECT 1 FROM stored_files WHERE id = $1 AND deleted_at IS NULL",
    values: [row.id],
  });
  if (rowCount) tellOfLoss(row, { bytesThere });
  return notFound("This file");
}

function tellOfLoss(row: FileRow, seen: object): void {
  log("warn", "A stored file is missing in its store, or was changed there.", { ...aboutFile(row), ...seen });
}

function aboutFile({ id, size, store, storage_key: storageKey }: FileRow) {
  return { fileId: id, store, storageKey, bytes: size };
}

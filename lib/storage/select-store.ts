import { join } from "node:path";
import { AppError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";
import { BlobFileStore } from "@/lib/storage/blob-file-store";
import { DiskFileStore } from "@/lib/storage/disk-file-store";
import type { FileStore, FileStoreKind } from "@/lib/storage/file-store";

/** Where new files go: Vercel Blob when `BLOB_READ_WRITE_TOKEN` is set, else the disk below `DATA_DIR`/files. */
export function fileStore(): FileStore {
  return fileStoreOf(env().BLOB_READ_WRITE_TOKEN ? "blob" : "disk");
}

/**
 * The store that holds a file: files stay where they were written when the setting changes.
 * @throws AppError SERVICE_UNAVAILABLE for a Blob file while no token is set.
 */
export function fileStoreOf(kind: FileStoreKind): FileStore {
  const { BLOB_READ_WRITE_TOKEN: token, DATA_DIR, MIN_FREE_DISK_MB } = env();
  if (kind === "disk") {
    return processSingleton(
      "disk-file-store",
      () =>
        new DiskFileStore({
          directory: join(/* turbopackIgnore: true */ DATA_DIR, "files"),
          minFreeBytes: MIN_FREE_DISK_MB * 1024 * 1024,
        }),
    );
  }
  if (!token) {
    throw new AppError("SERVICE_UNAVAILABLE", "The store of this file is not set up right now.", {
      cause: new Error("A file is in Vercel Blob, but BLOB_READ_WRITE_TOKEN is not set."),
    });
  }
  return processSingleton("blob-file-store", () => new BlobFileStore({ token }));
}

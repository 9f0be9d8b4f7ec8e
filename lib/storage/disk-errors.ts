import { AppError } from "@/lib/domain/errors";
import { storeAway } from "@/lib/storage/store-away";

const RETRY_WHEN_FULL_SECONDS = 60;
const FULL_OR_EXHAUSTED = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE"]);
/** Of a folder that is another user's (a back-up restored by root), that went or is none, or of a disk that fails or may not be written. */
const OUT_OF_REACH = new Set(["EACCES", "EPERM", "EIO", "ENOENT", "ENOTDIR", "ESTALE", "ENODEV", "EROFS"]);

/** For what may be missing. @throws as `asStoreError` */
export function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw asStoreError(error);
}

/** The system's code of what it refused. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** What the system refused, as callers of a store know it; anything else as it is. */
export function asStoreError(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== undefined && FULL_OR_EXHAUSTED.has(code)) return storeFull(error);
  return code !== undefined && OUT_OF_REACH.has(code) ? storeAway(error) : error;
}

/** What a store that takes no more is to a caller. */
export function storeFull(cause: unknown): AppError {
  return new AppError(
    "SERVICE_UNAVAILABLE",
    "The file store has no room right now. Nothing was kept; try again later.",
    {
      cause,
      retryAfterSeconds: RETRY_WHEN_FULL_SECONDS,
    },
  );
}

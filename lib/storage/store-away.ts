import { AppError } from "@/lib/domain/errors";

const RETRY_WHEN_AWAY_SECONDS = 30;

/** What a store that cannot be reached, refuses or falls silent is to a caller. */
export function storeAway(cause: unknown): AppError {
  return new AppError(
    "SERVICE_UNAVAILABLE",
    "The file store cannot be reached right now. Nothing was changed; try again.",
    {
      cause,
      retryAfterSeconds: RETRY_WHEN_AWAY_SECONDS,
    },
  );
}

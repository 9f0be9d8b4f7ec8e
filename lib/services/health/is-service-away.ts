import { isDatabaseAway, lacksMigrations } from "@/lib/db/failures";

/** After how long whoever was answered 503 may try again. */
export const AWAY_RETRY_AFTER_SECONDS = 5;

/**
 * Whether an error means that the database cannot be reached right now, or that the build which asks is newer than its tables, as
 * between the start of one and the end of its migrations: nothing was accepted (503).
 */
export function isServiceAway(error: unknown): boolean {
  return isDatabaseAway(error) || lacksMigrations(error);
}

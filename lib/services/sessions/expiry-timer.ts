import { env } from "@/lib/env";
import { expireSessions } from "@/lib/services/sessions/expire-sessions";

/** How often the function `expire-sessions` runs by itself. */
const CRON_SECONDS = 60;
/** A session expires at most this part of its timeout late. */
const LATEST = 1 / 4;

export interface ExpiryTimerOptions {
  onError(error: unknown): void;
}

/**
 * Expires sessions in this process too where a sweep each minute would be late: with a SESSION_TIMEOUT_SECONDS of
 * minutes or seconds. Does nothing with longer ones. Other processes may do the same: no session expires twice.
 * @returns how to stop it; resolves when a sweep under way has ended
 */
export function startExpiryTimer({ onError }: ExpiryTimerOptions): () => Promise<void> {
  const everySeconds = env().SESSION_TIMEOUT_SECONDS * LATEST;
  if (everySeconds >= CRON_SECONDS) return async () => {};
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= expireSessions()
      .then(() => {}, onError)
      .finally(() => {
        running = null;
      });
  }, everySeconds * 1_000);
  return async () => {
    clearInterval(timer);
    await running;
  };
}

import type { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";

/** A server that asks for a longer wait than this gets no second try. */
export const LONGEST_RETRY_AFTER_SECONDS = 300;

/**
 * Seconds until the model is asked again after a failure, on the schedule of the settings or when its server wants it; null when it
 * is not.
 * @param attempt 0 for the first
 */
export function retryDelay(error: TurnError, attempt: number): number | null {
  const delay = env().MODEL_RETRY_DELAYS_SECONDS[attempt];
  const wanted = error.retryAfterSeconds ?? 0;
  if (!error.isRetryable || delay === undefined || wanted > LONGEST_RETRY_AFTER_SECONDS) return null;
  return Math.max(delay, wanted);
}

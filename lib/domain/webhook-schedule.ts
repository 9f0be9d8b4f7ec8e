/** When a delivery is tried again (§6.4). */

/** Attempts of one delivery: at once, then once after each delay. */
export function maxAttempts(delaysSeconds: readonly number[]): number {
  return 1 + delaysSeconds.length;
}

/** Seconds from a failed attempt (1, 2, ...) to the next; null when it was the last. */
export function nextDelaySeconds(failedAttempt: number, delaysSeconds: readonly number[]): number | null {
  return delaysSeconds[failedAttempt - 1] ?? null;
}

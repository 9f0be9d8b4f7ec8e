const RETRY_MAX_MS = 2 * 3_600_000;
const RETRY_JITTER = 0.2;
const LOSS_BASE_MS = 100;
const LOSS_MAX_MS = 30_000;

/** The first wait after a failed attempt, when nothing else is configured. */
export const RETRY_BASE_SECONDS = 15;

/** Calls without an answer that one item may cost before its run fails: bounds a step that kills its process. */
export const MAX_LOSSES = 10;

/**
 * The wait before a failed attempt is repeated: doubling from `baseMs` to two hours, a fifth more or less
 * by chance, so that what failed together does not come back together.
 * @param attempt the failed one, from 0
 */
export function retryDelayMs(attempt: number, baseMs: number, random: () => number = Math.random): number {
  const delay = Math.min(baseMs * 2 ** attempt, RETRY_MAX_MS);
  return Math.round(delay * (1 - RETRY_JITTER + 2 * RETRY_JITTER * random()));
}

/** The wait before a call that ended without an answer is repeated. */
export function lossDelayMs(losses: number): number {
  return Math.min(LOSS_BASE_MS * 2 ** losses, LOSS_MAX_MS);
}

/** The wait between tries to reach the app or the database: short at first, at most two seconds. */
export function reconnectDelayMs(tries: number): number {
  return Math.min(50 * 2 ** tries, 2_000);
}

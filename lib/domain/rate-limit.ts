/**
 * Rate limits (contract §2). The bucket of a key holds at most one minute's requests and refills evenly: in any
 * span of t seconds at most `limit + limit × t / 60` calls are let through, however many processes serve them.
 */
export interface RateLimitState {
  /** Requests per minute; also what the bucket holds at most. */
  limit: number;
  /** Calls that would be let through right now. */
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  isAllowed: boolean;
  /** Seconds until the next call is let through; 0 when this one was. */
  retryAfterSeconds: number;
}

/**
 * What a call is told of its bucket.
 * @param tokens what is left in the bucket after the call
 */
export function rateLimitState(limit: number, tokens: number, isAllowed: boolean): RateLimitState {
  const perSecond = limit / 60;
  return {
    limit,
    remaining: Math.max(0, Math.floor(tokens)),
    resetSeconds: Math.max(0, wholeSeconds((limit - tokens) / perSecond)),
    isAllowed,
    retryAfterSeconds: isAllowed ? 0 : Math.max(1, wholeSeconds((1 - tokens) / perSecond)),
  };
}

/** Rounds up, but not for what floating point adds: below a millisecond there is nothing to wait for. */
function wholeSeconds(seconds: number): number {
  return Math.ceil(seconds - 0.001);
}

import { describe, expect, it } from "vitest";
import { rateLimitState } from "@/lib/domain/rate-limit";

describe("rateLimitState", () => {
  it.each([
    ["a full bucket", 60, 59, true, { remaining: 59, resetSeconds: 1, retryAfterSeconds: 0 }],
    ["an empty bucket", 60, 0.25, false, { remaining: 0, resetSeconds: 60, retryAfterSeconds: 1 }],
    ["a slow bucket", 2, 0.5, false, { remaining: 0, resetSeconds: 45, retryAfterSeconds: 15 }],
    ["an almost full second", 3, 0.95, false, { remaining: 0, resetSeconds: 41, retryAfterSeconds: 1 }],
    ["the last call", 6_000, 0, true, { remaining: 0, resetSeconds: 60, retryAfterSeconds: 0 }],
    ["a bucket that owes calls", 60, -1.5, false, { remaining: 0, resetSeconds: 62, retryAfterSeconds: 3 }],
    ["a bucket that is about to have one", 60, 0.9999, false, { remaining: 0, resetSeconds: 59, retryAfterSeconds: 1 }],
    ["an untouched bucket", 5, 5, true, { remaining: 5, resetSeconds: 0, retryAfterSeconds: 0 }],
  ])("tells of %s", (_what, limit, tokens, isAllowed, expected) => {
    expect(rateLimitState(limit, tokens, isAllowed)).toEqual({ limit, isAllowed, ...expected });
  });
});

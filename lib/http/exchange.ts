import type { Principal } from "@/lib/domain/principal";
import type { RateLimitState } from "@/lib/domain/rate-limit";

/** What is known of one call while it is served; grows from check to check. */
export interface Exchange {
  readonly requestId: string;
  /** The endpoint's name, e.g. "POST /chat". */
  readonly endpoint: string;
  readonly clientIp: string | null;
  /** Of `performance.now()`. */
  readonly startedAtMs: number;
  principal?: Principal;
  rateLimit?: RateLimitState;
}

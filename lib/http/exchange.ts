import type { EndpointDefinition } from "@/lib/contracts/endpoint-definition";
import type { RateLimitState } from "@/lib/domain/rate-limit";
import type { ReceivedFile } from "@/lib/http/received-file";
import type { KeyOwner } from "@/lib/services/api-keys/authenticate-key";

/** What is known of one call while it is served; grows from check to check. */
export interface Exchange {
  readonly requestId: string;
  readonly definition: EndpointDefinition;
  readonly request: Request;
  readonly clientIp: string | null;
  /** Of `performance.now()`. */
  readonly startedAtMs: number;
  /** Whose key was sent; also of one that is revoked or expired. */
  caller?: KeyOwner;
  rateLimit?: RateLimitState;
  /** After validation. */
  params?: object;
  /** After validation. */
  query?: object;
  /** After validation. */
  body?: unknown;
  files?: readonly ReceivedFile[];
  /** What the handler gave back. */
  result?: unknown;
  /** The kept body, when the call repeats an earlier one by its idempotency key. */
  replayed?: string;
}

import type { RateLimitState } from "@/lib/domain/rate-limit";

/** A JSON answer. */
export function jsonResponse(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json; charset=utf-8" } });
}

/** The answer of what has nothing to say but that it is done. */
export function noContent(): Response {
  return new Response(null, { status: 204 });
}

/** Next drops `Content-Length` of what a route answers; scripts/serve.ts puts it back from this header. */
const LENGTH_HEADER = "X-Service-Content-Length";

/** Sets what every response carries (contract §2). A response's own caching rule (a stream's) stays. */
export function setCommonHeaders(
  response: Response,
  requestId: string,
  rateLimit: RateLimitState | undefined,
): Response {
  const { headers } = response;
  headers.set("X-Request-Id", requestId);
  headers.set("X-Content-Type-Options", "nosniff");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const length = headers.get("Content-Length");
  if (length !== null) headers.set(LENGTH_HEADER, length);
  if (rateLimit) {
    headers.set("RateLimit-Limit", String(rateLimit.limit));
    headers.set("RateLimit-Remaining", String(rateLimit.remaining));
    headers.set("RateLimit-Reset", String(rateLimit.resetSeconds));
  }
  return response;
}

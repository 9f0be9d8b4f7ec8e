import type { RateLimitState } from "@/lib/domain/rate-limit";
import { LENGTH_HEADER } from "@/lib/http/complete-answer";
import { setStrictTransport } from "@/lib/strict-transport";

/** The bodies of JSON answers: whoever writes one out needs not read its stream. */
const texts = new WeakMap<Response, string>();

/** A JSON answer. */
export function jsonResponse(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return jsonTextResponse(status, JSON.stringify(body), headers);
}

/** A JSON answer that is written out already. */
export function jsonTextResponse(status: number, text: string, headers: Record<string, string> = {}): Response {
  const response = new Response(text, {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  });
  texts.set(response, text);
  return response;
}

/** The whole body of a JSON answer; undefined of any other. */
export function textOf(response: Response): string | undefined {
  return texts.get(response);
}

/** The answer of what has nothing to say but that it is done. */
export function noContent(): Response {
  return new Response(null, { status: 204 });
}

/** Says how long the body is, or that of the GET whose headers these are. */
export function setContentLength(headers: Headers, bytes: number | string): void {
  headers.set("Content-Length", String(bytes));
  headers.set(LENGTH_HEADER, String(bytes));
}

/** Sets what every response carries (contract §2). A response's own caching rule (a stream's) stays. */
export function setCommonHeaders(
  response: Response,
  requestId: string,
  rateLimit: RateLimitState | undefined,
): Response {
  const { headers } = response;
  headers.set("X-Request-Id", requestId);
  headers.set("X-Content-Type-Options", "nosniff");
  setStrictTransport(headers);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  const length = headers.get("Content-Length");
  if (length !== null) setContentLength(headers, length);
  if (rateLimit) {
    headers.set("RateLimit-Limit", String(rateLimit.limit));
    headers.set("RateLimit-Remaining", String(rateLimit.remaining));
    headers.set("RateLimit-Reset", String(rateLimit.resetSeconds));
  }
  return response;
}

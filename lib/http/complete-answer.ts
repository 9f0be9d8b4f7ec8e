import type { ServerResponse } from "node:http";

/** Next drops `Content-Length` of what a route answers; `completeHeaders` puts it back from this header. */
export const LENGTH_HEADER = "x-service-content-length";
const REQUEST_ID_HEADER = "X-Request-Id";
/** Slashes may be too many or the wrong way: Next sends such addresses on to the right ones. */
const API_PATH = /^[/\\]+(?:api[/\\]+v1|b2b)(?:[/\\?]|$)/;

interface AnsweredCall {
  /** Of an answer without one. */
  requestId: string;
  /** As the client sent it: Next changes it on its way. */
  url: string | undefined;
}

/**
 * Adds what Next leaves out of an answer whose headers go out now: how long a route's answer is, and an id where the answer has
 * none of its own. What Next answers itself at the API's paths, such as its 308s, is never cached, as the rest (contract §2).
 */
export function completeHeaders(response: ServerResponse, { requestId, url = "" }: AnsweredCall): void {
  putLengthBack(response);
  if (!response.hasHeader(REQUEST_ID_HEADER)) response.setHeader(REQUEST_ID_HEADER, requestId);
  if (API_PATH.test(url) && !response.hasHeader("cache-control")) response.setHeader("Cache-Control", "no-store");
}

function putLengthBack(response: ServerResponse): void {
  const length = response.getHeader(LENGTH_HEADER);
  response.removeHeader(LENGTH_HEADER);
  // A compressed answer has another length, which nobody knows yet.
  if (length !== undefined && !response.hasHeader("content-encoding")) response.setHeader("content-length", length);
}

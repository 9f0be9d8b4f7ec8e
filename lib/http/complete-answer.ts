import type { ServerResponse } from "node:http";

/** Next drops `Content-Length` of what a route answers; `completeHeaders` puts it back from this header. */
export const LENGTH_HEADER = "x-service-content-length";
const REQUEST_ID_HEADER = "X-Request-Id";

/**
 * Adds what Next leaves out of an answer whose headers go out now: how long a route's answer is, and an id where the answer has
 * none of its own (contract §2).
 * @param requestId of an answer without one
 */
export function completeHeaders(response: ServerResponse, requestId: string): void {
  putLengthBack(response);
  if (!response.hasHeader(REQUEST_ID_HEADER)) response.setHeader(REQUEST_ID_HEADER, requestId);
}

function putLengthBack(response: ServerResponse): void {
  const length = response.getHeader(LENGTH_HEADER);
  response.removeHeader(LENGTH_HEADER);
  // A compressed answer has another length, which nobody knows yet.
  if (length !== undefined && !response.hasHeader("content-encoding")) response.setHeader("content-length", length);
}

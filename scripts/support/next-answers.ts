import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import type { PageAnswer } from "@/lib/panel/page-answer";
import { newId } from "../../lib/domain/ids.ts";
import { processSingleton } from "../../lib/process-singleton.ts";

const REQUEST_ID_HEADER = "X-Request-Id";
/** As lib/http/respond.ts names it. */
const LENGTH_HEADER = "x-service-content-length";

/** Of each page under way, for lib/panel/page-answer.ts. */
const answers = processSingleton("page-answers", () => new AsyncLocalStorage<PageAnswer>());

/**
 * Has Next answer, and adds what it leaves out when the headers go out: how long a route's answer is; an id, where the answer has
 * none of its own (contract §2); and the status of a page that could not be made because the database is away. Next answers 500 to
 * whatever a page throws. That one is a 503, as a call of the API is: watchers and proxies tell the two apart.
 */
export function serveByNext(response: ServerResponse, serve: () => void): void {
  const answer: PageAnswer = { requestId: newId("request") };
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    putLengthBack(response);
    if (!response.hasHeader(REQUEST_ID_HEADER)) response.setHeader(REQUEST_ID_HEADER, answer.requestId);
    if (status !== 500 || answer.retryAfterSeconds === undefined) return writeHead(status, ...rest);
    response.statusCode = 503;
    response.setHeader("Retry-After", answer.retryAfterSeconds);
    return writeHead(503, ...rest);
  };
  answers.run(answer, serve);
}

function putLengthBack(response: ServerResponse): void {
  const length = response.getHeader(LENGTH_HEADER);
  response.removeHeader(LENGTH_HEADER);
  // A compressed answer has another length, which nobody knows yet.
  if (length !== undefined && !response.hasHeader("content-encoding")) response.setHeader("content-length", length);
}

import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageAnswer } from "@/lib/panel/page-answer";
import { newId } from "../../lib/domain/ids.ts";
import { completeHeaders } from "../../lib/http/complete-answer.ts";
import { processSingleton } from "../../lib/process-singleton.ts";
import { mayCallAction } from "./bound-action-calls.ts";

/** Of each page under way, for lib/panel/page-answer.ts. */
const answers = processSingleton("page-answers", () => new AsyncLocalStorage<PageAnswer>());

/**
 * Has Next answer, and adds what it leaves out when the headers go out: how long a route's answer is; an id, where the answer has
 * none of its own (contract §2); and the status of what is no fault of ours. Next answers 500 to whatever a page throws, and to
 * a call of an action that it cannot read. A page that could not be made because the database is away is a 503, as a call of the
 * API is, and such a call a 400: watchers and proxies tell them apart.
 */
export function serveByNext(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
  const answer: PageAnswer = { requestId: newId("request"), isUnreadCall: mayCallAction(request) };
  const { url } = request;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    completeHeaders(response, { requestId: answer.requestId, url });
    if (status !== 500) return writeHead(status, ...rest);
    if (answer.retryAfterSeconds !== undefined) response.setHeader("Retry-After", answer.retryAfterSeconds);
    response.statusCode = statusOfFailure(answer);
    return writeHead(response.statusCode, ...rest);
  };
  answers.run(answer, serve);
}

function statusOfFailure({ retryAfterSeconds, isUnreadCall }: PageAnswer): 400 | 500 | 503 {
  if (isUnreadCall) return 400;
  return retryAfterSeconds === undefined ? 500 : 503;
}

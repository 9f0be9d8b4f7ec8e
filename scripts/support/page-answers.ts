import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import type { PageAnswer } from "@/lib/panel/or-say-away";
import { processSingleton } from "../../lib/process-singleton.ts";

/** Of each page under way, for lib/panel/or-say-away.ts. */
const answers = processSingleton("page-answers", () => new AsyncLocalStorage<PageAnswer>());

/**
 * Next answers 500 to whatever a page throws. One that could not be made because the database is away is a 503, as a call of the
 * API is: watchers and proxies tell the two apart.
 */
export function servePage(response: ServerResponse, serve: () => void): void {
  const answer: PageAnswer = {};
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (status !== 500 || answer.retryAfterSeconds === undefined) return writeHead(status, ...rest);
    response.statusCode = 503;
    response.setHeader("Retry-After", answer.retryAfterSeconds);
    return writeHead(503, ...rest);
  };
  answers.run(answer, serve);
}

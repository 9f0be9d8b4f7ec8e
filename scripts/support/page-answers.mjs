import { AsyncLocalStorage } from "node:async_hooks";

/** As AWAY_RETRY_AFTER_SECONDS of lib/http/error-response.ts. */
const RETRY_AFTER_SECONDS = "5";

/** Of each page under way, for lib/panel/or-say-away.ts; in the form of lib/process-singleton.ts. */
const answers = new AsyncLocalStorage();
globalThis[Symbol.for("service.page-answers")] = { value: answers };

/**
 * Next answers 500 to whatever a page throws. One that could not be made because the database is away is a 503, as a call of the
 * API is: watchers and proxies tell the two apart.
 */
export function servePage(response, serve) {
  const answer = { isDatabaseAway: false };
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status, ...rest) => {
    if (status !== 500 || !answer.isDatabaseAway) return writeHead(status, ...rest);
    response.statusCode = 503;
    response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
    return writeHead(503, ...rest);
  };
  answers.run(answer, serve);
}

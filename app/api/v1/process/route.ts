import { listProcessesEndpoint, startProcessEndpoint } from "@/lib/contracts/process";
import { withCreditBound } from "@/lib/http/credit-bound-of";
import { endpoint } from "@/lib/http/endpoint";
import { jsonResponse } from "@/lib/http/respond";
import { route } from "@/lib/http/route";
import { startProcess, toProcessCall } from "@/lib/services/process/start-process";
import { listProcesses } from "@/lib/services/sessions/list-sessions";
import { quoteTurn } from "@/lib/services/turns/quote-turn";

// GET /process: processings, newest first. POST /process: a file, or one uploaded before, with an instruction.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(listProcessesEndpoint, ({ principal, query }) => listProcesses(principal, query)),
  POST: endpoint(startProcessEndpoint, async ({ principal, query, body: fields, files, ...context }) => {
    const body = withCreditBound({ query, body: fields });
    return query.dryRun
      ? jsonResponse(200, await quoteTurn(principal, await toProcessCall(principal, body, files, context.requestId)))
      : startProcess(principal, body, files, context);
  }),
});

import { sendEndpoint } from "@/lib/contracts/send";
import { withCreditBound } from "@/lib/http/credit-bound-of";
import { endpoint } from "@/lib/http/endpoint";
import { jsonResponse } from "@/lib/http/respond";
import { route } from "@/lib/http/route";
import { startSend, toSendCall } from "@/lib/services/send/start-send";
import { quoteTurn } from "@/lib/services/turns/quote-turn";

// POST /b2b/send: a file, a message or both, to a new session or an existing one.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(sendEndpoint, async ({ principal, query, body: fields, files, ...context }) => {
    const body = withCreditBound({ query, body: fields });
    return query.dryRun
      ? jsonResponse(200, await quoteTurn(principal, toSendCall(body, files, context.requestId)))
      : startSend(principal, body, files, context);
  }),
});

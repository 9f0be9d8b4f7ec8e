import { startChatEndpoint } from "@/lib/contracts/chat";
import { withCreditBound } from "@/lib/http/credit-bound-of";
import { endpoint } from "@/lib/http/endpoint";
import { jsonResponse } from "@/lib/http/respond";
import { route } from "@/lib/http/route";
import { startChat, toChatCall } from "@/lib/services/chat/start-chat";
import { quoteTurn } from "@/lib/services/turns/quote-turn";

// POST /chat: send a message; the AI answers in the background.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(startChatEndpoint, async ({ principal, query, body: fields, ...context }) => {
    const body = withCreditBound({ query, body: fields });
    return query.dryRun
      ? jsonResponse(200, await quoteTurn(principal, toChatCall(body, context.requestId)))
      : startChat(principal, body, context);
  }),
});

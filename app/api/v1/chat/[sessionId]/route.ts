import { getChatSessionEndpoint } from "@/lib/contracts/chat";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";

// GET /chat/:sessionId: a session with its messages.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getChatSessionEndpoint, ({ principal, params, query }) =>
    getChatSession(principal, params.sessionId, query.endUserId),
  ),
});

import { cancelChatSessionEndpoint } from "@/lib/contracts/chat";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { cancelChatSession } from "@/lib/services/chat/cancel-chat-session";

// POST /chat/:sessionId/cancel: stop what is queued or running in a session.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(cancelChatSessionEndpoint, ({ principal, params, query }) =>
    cancelChatSession(principal, params.sessionId, query.endUserId),
  ),
});

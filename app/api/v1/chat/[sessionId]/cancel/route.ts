import { cancelChatSessionEndpoint } from "@/lib/contracts/chat";
import { endUserOf } from "@/lib/http/end-user-of";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { cancelChatSession } from "@/lib/services/chat/cancel-chat-session";

// POST /chat/:sessionId/cancel: stop what is queued or running in a session.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(cancelChatSessionEndpoint, ({ principal, params, ...call }) =>
    cancelChatSession(principal, params.sessionId, endUserOf(call)),
  ),
});

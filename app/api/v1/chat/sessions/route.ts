import { listChatSessionsEndpoint } from "@/lib/contracts/chat";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { listChatSessions } from "@/lib/services/sessions/list-sessions";

// GET /chat/sessions: sessions of both kinds, newest first.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(listChatSessionsEndpoint, ({ principal, query }) => listChatSessions(principal, query)),
});

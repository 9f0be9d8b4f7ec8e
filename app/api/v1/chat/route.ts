import { startChatEndpoint } from "@/lib/contracts/chat";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { startChat } from "@/lib/services/chat/start-chat";

// POST /chat: send a message; the AI answers in the background.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(startChatEndpoint, ({ principal, body, requestId }) => startChat(principal, body, requestId)),
});

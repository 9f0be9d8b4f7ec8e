import { streamChatSessionEndpoint } from "@/lib/contracts/chat";
import { endpoint } from "@/lib/http/endpoint";
import { readEventId } from "@/lib/http/read-event-id";
import { route } from "@/lib/http/route";
import { streamInPlace } from "@/lib/http/stream-in-place";
import { takeStreamPlace } from "@/lib/http/stream-places";
import { openSessionStream } from "@/lib/services/sessions/stream-session";

// GET /chat/:sessionId/stream: a turn as Server-Sent Events.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(streamChatSessionEndpoint, async ({ principal, params, query, request }) => {
    const after = readEventId(request, query.after);
    return streamInPlace(takeStreamPlace(principal.apiKeyId), request.signal, () =>
      openSessionStream(principal, params.sessionId, { endUserId: query.endUserId, after }),
    );
  }),
});

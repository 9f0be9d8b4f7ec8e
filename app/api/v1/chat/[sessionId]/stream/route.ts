import { streamChatSessionEndpoint } from "@/lib/contracts/chat";
import { env } from "@/lib/env";
import { endpoint } from "@/lib/http/endpoint";
import { readEventId } from "@/lib/http/read-event-id";
import { route } from "@/lib/http/route";
import { sseResponse } from "@/lib/http/sse";
import { takeStreamPlace } from "@/lib/http/stream-places";
import { openSessionStream } from "@/lib/services/sessions/stream-session";

// GET /chat/:sessionId/stream: a turn as Server-Sent Events.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(streamChatSessionEndpoint, async ({ principal, params, query, request }) => {
    const after = readEventId(request, query.after);
    const place = takeStreamPlace(principal.apiKeyId);
    let response: Response | undefined;
    try {
      const stream = await openSessionStream(principal, params.sessionId, { endUserId: query.endUserId, after });
      if (!stream) return new Response(null, { status: 204 });
      response = sseResponse(stream, { pingSeconds: env().STREAM_PING_SECONDS, signal: request.signal, place });
      return response;
    } finally {
      if (!response) place.free();
    }
  }),
});

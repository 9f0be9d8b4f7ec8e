import { env } from "@/lib/env";
import { readEventId } from "@/lib/http/read-event-id";
import { sseResponse } from "@/lib/http/sse";
import { panelRoute } from "@/lib/panel/panel-route";
import { openSessionStream } from "@/lib/services/sessions/stream-session";

/** A turn of a session as Server-Sent Events, as the API streams it (contract §5) and with how far its reading is, for people who are signed in. */
export const GET = panelRoute<{ id: string }>("sessions.view", async ({ principal }, request, { id }) => {
  const after = readEventId(request);
  const stream = await openSessionStream(principal, id, { after, isWatched: true });
  if (!stream) return new Response(null, { status: 204 });
  return sseResponse(stream, { pingSeconds: env().STREAM_PING_SECONDS, signal: request.signal });
});

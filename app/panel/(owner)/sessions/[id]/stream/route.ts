import { SIGN_OF_LIFE_SECONDS } from "@/components/sessions/follow-stream";
import { readEventId } from "@/lib/http/read-event-id";
import { streamInPlace } from "@/lib/http/stream-in-place";
import { takePersonStreamPlace } from "@/lib/http/stream-places";
import { panelRoute } from "@/lib/panel/panel-route";
import { openSessionStream } from "@/lib/services/sessions/stream-session";

/** A turn of a session as Server-Sent Events, as the API streams it (contract §5) and with how far its reading is, for people who are signed in. */
export const GET = panelRoute<{ id: string }>("sessions.view", async ({ principal, user }, request, { id }) => {
  const after = readEventId(request);
  return streamInPlace(
    takePersonStreamPlace(user.id),
    request.signal,
    () => openSessionStream(principal, id, { after, reader: "panel" }),
    SIGN_OF_LIFE_SECONDS,
  );
});

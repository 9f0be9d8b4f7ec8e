import { followStreamLinkEndpoint } from "@/lib/contracts/stream-links";
import { endpoint } from "@/lib/http/endpoint";
import { readEventId } from "@/lib/http/read-event-id";
import { route } from "@/lib/http/route";
import { streamInPlace } from "@/lib/http/stream-in-place";
import { takeLinkedStreamPlace } from "@/lib/http/stream-places";
import { openStreamLink } from "@/lib/services/sessions/stream-link";
import { openSessionStream } from "@/lib/services/sessions/stream-session";

// GET /streams/:ticket: a turn as Server-Sent Events, for pages of any site.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(followStreamLinkEndpoint, async ({ params, query, request }) => {
    const after = readEventId(request, query.after);
    const link = await openStreamLink(params.ticket);
    return streamInPlace(takeLinkedStreamPlace(link), request.signal, () =>
      openSessionStream(link, link.sessionId, { after, reader: "page" }),
    );
  }),
});

import { createStreamLinkEndpoint } from "@/lib/contracts/stream-links";
import { endUserOf } from "@/lib/http/end-user-of";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { createStreamLink } from "@/lib/services/sessions/stream-link";

// POST /chat/:sessionId/stream-links: an address at which a page follows the session without a key.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(createStreamLinkEndpoint, ({ principal, params, ...call }) =>
    createStreamLink(principal, params.sessionId, {
      endUserId: endUserOf(call),
      expiresInSeconds: call.body.expiresInSeconds,
    }),
  ),
});

import { deleteChatSessionEndpoint } from "@/lib/contracts/deletions";
import { endUserOf } from "@/lib/http/end-user-of";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { deleteSession } from "@/lib/services/sessions/delete-session";

// POST /chat/:sessionId/delete: a session of either kind goes for good.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(deleteChatSessionEndpoint, async ({ principal, params: { sessionId }, ...call }) => {
    await deleteSession(null, principal, sessionId, { endUserId: endUserOf(call) });
    return { sessionId, deleted: true as const };
  }),
});

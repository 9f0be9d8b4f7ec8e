import { deleteProcessEndpoint } from "@/lib/contracts/deletions";
import { endUserOf } from "@/lib/http/end-user-of";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { deleteSession } from "@/lib/services/sessions/delete-session";

// POST /process/:id/delete: a processing goes for good.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(deleteProcessEndpoint, async ({ principal, params: { id: sessionId }, ...call }) => {
    await deleteSession(null, principal, sessionId, { endUserId: endUserOf(call), kind: "process" });
    return { sessionId, deleted: true as const };
  }),
});

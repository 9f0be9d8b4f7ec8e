import { endpointName } from "@/lib/contracts/endpoint-definition";
import { retryChatSessionEndpoint } from "@/lib/contracts/retries";
import { endUserOf } from "@/lib/http/end-user-of";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { retryTurn } from "@/lib/services/turns/retry-turn";

// POST /chat/:sessionId/retry: what the last call of a session of either kind asked, once more.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(retryChatSessionEndpoint, ({ principal, params: { sessionId }, ...call }) =>
    retryTurn(
      principal,
      { sessionId, endpoint: endpointName(retryChatSessionEndpoint), endUserId: endUserOf(call) },
      call,
      ({ status, callbackUrl }) => ({ sessionId, status, callbackUrl }),
    ),
  ),
});

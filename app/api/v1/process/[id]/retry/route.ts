import { endpointName } from "@/lib/contracts/endpoint-definition";
import { retryProcessEndpoint } from "@/lib/contracts/retries";
import { endUserOf } from "@/lib/http/end-user-of";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { retryTurn } from "@/lib/services/turns/retry-turn";

// POST /process/:id/retry: what a processing was asked last, once more.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(retryProcessEndpoint, ({ principal, params: { id: sessionId }, ...call }) =>
    retryTurn(
      principal,
      { sessionId, kind: "process", endpoint: endpointName(retryProcessEndpoint), endUserId: endUserOf(call) },
      call,
      ({ status, callbackUrl }) => ({ sessionId, status, callbackUrl }),
    ),
  ),
});

import { cancelProcessEndpoint } from "@/lib/contracts/process";
import { endUserOf } from "@/lib/http/end-user-of";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { cancelProcess } from "@/lib/services/process/cancel-process";

// POST /process/:id/cancel: stop what is queued or running of a processing.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(cancelProcessEndpoint, ({ principal, params, ...call }) =>
    cancelProcess(principal, params.id, endUserOf(call)),
  ),
});

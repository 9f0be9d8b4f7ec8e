import { getProcessEndpoint } from "@/lib/contracts/process";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { getProcess } from "@/lib/services/process/get-process";

// GET /process/:id: status, output, tokens and cost of a processing.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getProcessEndpoint, ({ principal, params, query }) =>
    getProcess(principal, params.id, query.endUserId),
  ),
});

import { downloadProcessEndpoint } from "@/lib/contracts/process";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { serveFile } from "@/lib/http/serve-file";
import { openProcessOutput } from "@/lib/services/process/open-process-output";

// GET /process/:id/download: the output as a file.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(downloadProcessEndpoint, async ({ principal, params, query, request }) =>
    serveFile(request, await openProcessOutput(principal, params.id, query.endUserId)),
  ),
});

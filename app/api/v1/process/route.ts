import { listProcessesEndpoint, startProcessEndpoint } from "@/lib/contracts/process";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { startProcess } from "@/lib/services/process/start-process";
import { listProcesses } from "@/lib/services/sessions/list-sessions";

// GET /process: processings, newest first. POST /process: a file with an instruction.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(listProcessesEndpoint, ({ principal, query }) => listProcesses(principal, query)),
  POST: endpoint(startProcessEndpoint, ({ principal, body, files, requestId }) =>
    startProcess(principal, body, files, requestId),
  ),
});

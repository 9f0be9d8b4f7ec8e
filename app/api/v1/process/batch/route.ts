import { startBatchEndpoint } from "@/lib/contracts/batch";
import { withCreditBound } from "@/lib/http/credit-bound-of";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { startBatch } from "@/lib/services/process/start-batch";

// POST /process/batch: many files with one instruction.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  POST: endpoint(startBatchEndpoint, ({ principal, query, body, files, ...context }) =>
    startBatch(principal, withCreditBound({ query, body }), files, context),
  ),
});

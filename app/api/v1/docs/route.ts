import { makeCatalog } from "@/lib/contracts/catalog";
import { getDocsEndpoint } from "@/lib/contracts/docs";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { env } from "@/lib/env";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { processSingleton } from "@/lib/process-singleton";

// GET /docs: the catalog of all endpoints.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getDocsEndpoint, () => processSingleton("catalog", () => makeCatalog(ENDPOINTS, env().APP_URL))),
});

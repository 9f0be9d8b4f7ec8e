import { getOpenApiEndpoint } from "@/lib/contracts/docs";
import { endpoint } from "@/lib/http/endpoint";
import { liveOpenApi } from "@/lib/http/live-openapi";
import { route } from "@/lib/http/route";

// GET /openapi.json: the API as an OpenAPI 3.1 document. Needs no key.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getOpenApiEndpoint, liveOpenApi),
});

import { getOpenApiEndpoint } from "@/lib/contracts/docs";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { makeOpenApi } from "@/lib/contracts/openapi-document";
import { env } from "@/lib/env";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { processSingleton } from "@/lib/process-singleton";

// GET /openapi.json: the API as an OpenAPI 3.1 document. Needs no key.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getOpenApiEndpoint, () =>
    processSingleton("openapi", () =>
      makeOpenApi(ENDPOINTS, { hostUrl: env().APP_URL, serviceName: env().SERVICE_NAME }),
    ),
  ),
});

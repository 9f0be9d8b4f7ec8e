import { ENDPOINTS } from "@/lib/contracts/endpoints";
import type { JsonSchema } from "@/lib/contracts/json-schema";
import { makeOpenApi } from "@/lib/contracts/openapi-document";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";

/** The OpenAPI document of this service under its own name and address; made once. */
export function liveOpenApi(): JsonSchema {
  return processSingleton("openapi", () =>
    makeOpenApi(ENDPOINTS, { hostUrl: env().APP_URL, serviceName: env().SERVICE_NAME }),
  );
}

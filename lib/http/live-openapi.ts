import { ENDPOINTS } from "@/lib/contracts/endpoints";
import type { JsonSchema } from "@/lib/contracts/json-schema";
import { makeOpenApi } from "@/lib/contracts/openapi-document";
import { env } from "@/lib/env";
import { processSingleton } from "@/lib/process-singleton";

/** The OpenAPI document of this service under its own name and address; made once. */
export function liveOpenApi(): JsonSchema {
  return processSingleton("openapi", () => {
    const { APP_URL: hostUrl, SERVICE_NAME: serviceName, SUPPORT_CONTACT: support } = env();
    const contact = support && (support.email === null ? { url: support.href } : { email: support.email });
    return makeOpenApi(ENDPOINTS, { hostUrl, serviceName, ...(contact && { contact }) });
  });
}

import { getReadinessEndpoint } from "@/lib/contracts/health";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { checkReadiness } from "@/lib/services/health/check-readiness";

// GET /health/ready: whether this process should get calls. Needs no key.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getReadinessEndpoint, async () => {
    await checkReadiness();
    return { status: "ready" as const };
  }),
});

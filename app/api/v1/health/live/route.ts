import { getLivenessEndpoint } from "@/lib/contracts/health";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";

// GET /health/live: whether the process answers at all. Needs no key and no database.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getLivenessEndpoint, () => ({ status: "live" as const })),
});

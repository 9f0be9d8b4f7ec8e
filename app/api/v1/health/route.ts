import { makeHealth } from "@/lib/contracts/catalog";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { getHealthEndpoint } from "@/lib/contracts/health";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";

const health = makeHealth(ENDPOINTS);

// GET /health: whether the service runs, its version and its endpoints. Needs no key and no database.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getHealthEndpoint, () => health),
});

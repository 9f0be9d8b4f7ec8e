import { getUsageEndpoint } from "@/lib/contracts/usage";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { getAccountUsage } from "@/lib/services/usage/get-usage";

// GET /usage: consumption of the key's account per day and per endpoint.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getUsageEndpoint, ({ principal, query }) => getAccountUsage(principal, query)),
});

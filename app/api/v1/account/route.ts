import { getAccountEndpoint } from "@/lib/contracts/account";
import { endpoint } from "@/lib/http/endpoint";
import { route } from "@/lib/http/route";
import { getAccount } from "@/lib/services/account/get-account";

// GET /account: credits, plan, limits and statistics of the key's account.
export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = route({
  GET: endpoint(getAccountEndpoint, ({ principal }) => getAccount(principal)),
});

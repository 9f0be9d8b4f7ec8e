import { callListQuery } from "@/lib/contracts/call-log";
import { validate } from "@/lib/http/validate";
import { panelRoute } from "@/lib/panel/panel-route";
import { listCallsAfter } from "@/lib/services/call-log/tail-calls";

/** What the filters of the list let through since the last look, for the live tail. */
export const GET = panelRoute("logs.view", async ({ principal }, request) => {
  const query = validate(callListQuery, Object.fromEntries(new URL(request.url).searchParams));
  return Response.json(await listCallsAfter(principal, query));
});

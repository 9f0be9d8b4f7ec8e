import { serveFile } from "@/lib/http/serve-file";
import { panelRoute } from "@/lib/panel/panel-route";
import { openEndUserExport } from "@/lib/services/data-rights/open-end-user-export";

/** An export of an end user, for those who may ask for one. */
export const GET = panelRoute<{ id: string }>("end-users.export", async ({ actor, principal }, request, { id }) =>
  serveFile(request, await openEndUserExport(actor, principal, id)),
);

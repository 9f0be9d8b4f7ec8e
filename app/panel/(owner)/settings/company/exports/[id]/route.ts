import { serveFile } from "@/lib/http/serve-file";
import { panelRoute } from "@/lib/panel/panel-route";
import { openAccountExport } from "@/lib/services/data-rights/account-exports";

/** An export of the account, for its owners alone. */
export const GET = panelRoute<{ id: string }>("account.take-export", async ({ actor, account }, request, { id }) =>
  serveFile(request, await openAccountExport(actor, account.id, id)),
);

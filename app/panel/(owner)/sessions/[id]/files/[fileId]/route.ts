import { serveFile } from "@/lib/http/serve-file";
import { panelRoute } from "@/lib/panel/panel-route";
import { openSessionFile } from "@/lib/services/sessions/open-session-file";

/** A file of a session, as an attachment that no browser runs: pages may still show a picture and play sound of it. */
export const GET = panelRoute<{ id: string; fileId: string }>(
  "sessions.view",
  async ({ principal }, request, { id, fileId }) => serveFile(request, await openSessionFile(principal, id, fileId)),
);

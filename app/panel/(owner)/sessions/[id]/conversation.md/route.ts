import { panelRoute } from "@/lib/panel/panel-route";
import { textResponse } from "@/lib/panel/text-response";
import { exportConversation } from "@/lib/services/sessions/export-conversation";

/** The whole conversation of a session as one file, to be handed on. */
export const GET = panelRoute<{ id: string }>("sessions.view", async ({ principal }, _request, { id }) =>
  textResponse({ name: `${id}.md`, contentType: "text/markdown" }, await exportConversation(principal, id)),
);

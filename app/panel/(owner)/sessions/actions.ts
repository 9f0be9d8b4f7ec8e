"use server";

import { revalidatePath } from "next/cache";
import { sessionInput } from "@/lib/contracts/sessions";
import { panelAction } from "@/lib/panel/panel-action";
import { cancelChatSession } from "@/lib/services/chat/cancel-chat-session";
import { deleteSession as remove } from "@/lib/services/sessions/delete-session";

const PATH = "/panel/sessions";

/** Stops what is queued or running in a session; nothing of it is charged. */
export const cancelSession = panelAction("sessions.cancel", sessionInput, async ({ principal }, { sessionId }) => {
  await cancelChatSession(principal, sessionId);
  revalidatePath(PATH, "layout");
  return null;
});

/** Deletes a session with its files. Draws nothing: the page that it was on is gone, the reader goes to the list. */
export const deleteSession = panelAction(
  "sessions.delete",
  sessionInput,
  async ({ actor, principal }, { sessionId }) => {
    await remove(actor, principal, sessionId);
    return null;
  },
);

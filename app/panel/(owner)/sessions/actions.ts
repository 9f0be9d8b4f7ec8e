"use server";

import { revalidatePath } from "next/cache";
import { retryInput, sessionInput } from "@/lib/contracts/sessions";
import { panelAction } from "@/lib/panel/panel-action";
import { cancelChatSession } from "@/lib/services/chat/cancel-chat-session";
import { deleteSession as remove } from "@/lib/services/sessions/delete-session";
import { refuseWhileOff, retrySession as retry } from "@/lib/services/sessions/retry-session";
import { retrySessions } from "@/lib/services/sessions/retry-sessions";

const PATH = "/panel/sessions";

/** Stops what is queued or running in a session; nothing of it is charged. */
export const cancelSession = panelAction("sessions.cancel", sessionInput, async ({ principal }, { sessionId }) => {
  await cancelChatSession(principal, sessionId);
  revalidatePath(PATH, "layout");
  return null;
});

/** Asks once more what got no answer in a session. */
export const retrySession = panelAction(
  "sessions.retry",
  sessionInput,
  async ({ actor, principal, project }, { sessionId }) => {
    refuseWhileOff(project);
    await retry(principal, sessionId, { actor });
    revalidatePath(PATH, "layout");
    return null;
  },
);

/** The same of all that the list's filters let through. */
export const retryAll = panelAction(
  "sessions.retry-all",
  retryInput,
  async ({ actor, principal, project }, filters) => {
    refuseWhileOff(project);
    const done = await retrySessions(principal, filters, actor);
    revalidatePath(PATH, "layout");
    return done;
  },
);

/** Deletes a session with its files. Draws nothing: the page that it was on is gone, the reader goes to the list. */
export const deleteSession = panelAction(
  "sessions.delete",
  sessionInput,
  async ({ actor, principal }, { sessionId }) => {
    await remove(actor, principal, sessionId);
    return null;
  },
);

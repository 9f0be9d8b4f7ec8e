import type { ChatSession } from "@/lib/contracts/chat-records";
import type { Principal } from "@/lib/domain/principal";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";

/**
 * Stops what is queued or running in a session of either kind (contract §3). A session with nothing open stays as it is.
 * @returns the session afterwards
 * @throws AppError NOT_FOUND, also when it is another project's or not the end user's
 */
export async function cancelChatSession(
  principal: Pick<Principal, "projectId">,
  sessionId: string,
  endUserId?: string,
): Promise<ChatSession> {
  const { id } = await getChatSession(principal, sessionId, endUserId);
  await cancelTurns(id);
  // Read again also when nothing was stopped: the turn may have ended by itself in between.
  return getChatSession(principal, sessionId, endUserId);
}

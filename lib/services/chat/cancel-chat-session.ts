import type { ChatSession } from "@/lib/contracts/chat";
import type { Principal } from "@/lib/domain/principal";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";

/**
 * Stops what is queued or running in a session of either kind (contract §3). A session with nothing open stays as it is.
 * @returns the session afterwards
 * @throws AppError NOT_FOUND, also when it is another project's or not the end user's
 */
export async function cancelChatSession(
  principal: Principal,
  sessionId: string,
  endUserId?: string,
): Promise<ChatSession> {
  const session = await getChatSession(principal, sessionId, endUserId);
  const canceled = await cancelTurns(session.id);
  return canceled === 0 ? session : getChatSession(principal, sessionId, endUserId);
}

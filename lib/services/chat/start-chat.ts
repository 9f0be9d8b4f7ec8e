import type { StartChatBody, StartChatResponse } from "@/lib/contracts/chat-records";
import type { Principal } from "@/lib/domain/principal";
import type { StartCall } from "@/lib/services/turns/prepare-turn";
import { type CallContext, startTurn } from "@/lib/services/turns/start-turn";

/**
 * Accepts a chat message (§4.3): a new session, or the next turn of one.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, URL_NOT_HTTPS, URL_NOT_ALLOWED, INSUFFICIENT_CREDITS,
 * TOKEN_LIMIT_REACHED, END_USER_LIMIT_REACHED, KEY_LIMIT_REACHED, PROJECT_LIMIT_REACHED
 */
export async function startChat(
  principal: Principal,
  body: StartChatBody,
  { requestId, idempotency }: CallContext,
): Promise<StartChatResponse> {
  return startTurn(principal, toChatCall(body, requestId), idempotency, ({ sessionId, status }) => ({
    sessionId,
    status,
    callbackUrl: body.callbackUrl ?? null,
  }));
}

/** The call as all calls that start work are handled, for a quote too. */
export function toChatCall({ message, ...fields }: StartChatBody, requestId: string): StartCall {
  return { ...fields, endpoint: "POST /chat", requestId, input: message, inputNames: ["message"] };
}

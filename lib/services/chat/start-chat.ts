import type { StartChatBody, StartChatResponse } from "@/lib/contracts/chat";
import { estimateCredits } from "@/lib/domain/credits";
import type { Principal } from "@/lib/domain/principal";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { env } from "@/lib/env";
import { renderForCall } from "@/lib/services/templates/render-for-call";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { checkCallbackUrl } from "@/lib/services/turns/check-callback-url";

/**
 * Accepts a chat message (§4.3): a new session, or the next turn of one.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, URL_NOT_HTTPS, URL_NOT_ALLOWED, INSUFFICIENT_CREDITS,
 * TOKEN_LIMIT_REACHED
 */
export async function startChat(
  principal: Principal,
  body: StartChatBody,
  requestId: string,
): Promise<StartChatResponse> {
  const callbackUrl = checkCallbackUrl(body.callbackUrl);
  const { text, template } = await renderForCall(principal, { ...body, input: body.message, inputName: "message" });
  const accepted = await acceptTurn(principal, {
    endpoint: "POST /chat",
    requestId,
    kind: "chat",
    sessionId: body.sessionId,
    endUserId: body.endUserId,
    input: text,
    fileContent: body.fileContent,
    template,
    callbackUrl,
    maxCredits: body.maxCredits,
    creditsToReserve: creditsToReserve(principal, body, text),
  });
  return { sessionId: accepted.sessionId, status: accepted.status, callbackUrl: callbackUrl ?? null };
}

function creditsToReserve(principal: Principal, body: StartChatBody, text: string): number {
  const tokens = estimateTokens(text) + estimateTokens(body.fileContent ?? "");
  const { max } = estimateCredits(principal.model ?? env().DEFAULT_MODEL, tokens);
  return body.maxCredits === undefined ? max : Math.min(max, body.maxCredits);
}

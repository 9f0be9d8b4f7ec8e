import type { SendBody, SendResponse } from "@/lib/contracts/send";
import type { Principal } from "@/lib/domain/principal";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import type { StartCall } from "@/lib/services/turns/prepare-turn";
import { type CallContext, startTurn } from "@/lib/services/turns/start-turn";

/**
 * Hybrid send (§4.4): with a file as /process, without one as /chat; to a new session, or to one of either kind. A file
 * sent to a session becomes part of its conversation.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, URL_NOT_HTTPS, URL_NOT_ALLOWED, INSUFFICIENT_CREDITS,
 * TOKEN_LIMIT_REACHED, END_USER_LIMIT_REACHED, KEY_LIMIT_REACHED, PROJECT_LIMIT_REACHED
 */
export async function startSend(
  principal: Principal,
  body: SendBody,
  files: UploadDraft[],
  { requestId, idempotency }: CallContext,
): Promise<SendResponse> {
  const [file] = files;
  return startTurn(principal, toSendCall(body, files, requestId), idempotency, ({ sessionId, status }) =>
    file ? { sessionId, status, fileUrl: file.url } : { sessionId, status, callbackUrl: body.callbackUrl ?? null },
  );
}

/** The call as all calls that start work are handled, for a quote too. */
export function toSendCall(
  { prompt, message, ...fields }: SendBody,
  files: UploadDraft[],
  requestId: string,
): StartCall {
  const input = prompt ?? message;
  return { ...fields, endpoint: "POST /b2b/send", requestId, input, inputNames: ["prompt", "message"], files };
}

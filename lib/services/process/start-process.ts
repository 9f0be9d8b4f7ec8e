import type { StartProcessBody, StartProcessResponse } from "@/lib/contracts/process";
import type { Principal } from "@/lib/domain/principal";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import type { StartCall } from "@/lib/services/turns/prepare-turn";
import { type CallContext, startTurn } from "@/lib/services/turns/start-turn";

/**
 * Accepts a file with an instruction (§4.2). The file is stored; with the returned session it becomes the account's.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, URL_NOT_HTTPS, URL_NOT_ALLOWED, INSUFFICIENT_CREDITS,
 * TOKEN_LIMIT_REACHED
 */
export async function startProcess(
  principal: Principal,
  body: StartProcessBody,
  files: UploadDraft[],
  { requestId, idempotency }: CallContext,
): Promise<StartProcessResponse> {
  return startTurn(principal, toProcessCall(body, files, requestId), idempotency, ({ sessionId, status }) => ({
    sessionId,
    status,
    fileUrl: files[0]?.url ?? "",
  }));
}

/** The call as all calls that start work are handled, for a quote too. */
export function toProcessCall(
  { prompt, ...fields }: StartProcessBody,
  files: UploadDraft[],
  requestId: string,
): StartCall {
  return { ...fields, endpoint: "POST /process", requestId, input: prompt, inputNames: ["prompt"], files };
}

import type { ProcessBody, StartProcessResponse } from "@/lib/contracts/process-records";
import type { Principal } from "@/lib/domain/principal";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { takeUpload } from "@/lib/services/files/take-upload";
import type { StartCall } from "@/lib/services/turns/prepare-turn";
import { creditsFirst } from "@/lib/services/turns/refuse-turn";
import { type CallContext, startTurn } from "@/lib/services/turns/start-turn";

/**
 * Accepts a file with an instruction (§4.2). The file is stored; with the returned session it becomes the account's.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, URL_NOT_HTTPS, URL_NOT_ALLOWED, INSUFFICIENT_CREDITS,
 * TOKEN_LIMIT_REACHED, END_USER_LIMIT_REACHED, KEY_LIMIT_REACHED, PROJECT_LIMIT_REACHED
 */
export async function startProcess(
  principal: Principal,
  body: ProcessBody,
  files: UploadDraft[],
  { requestId, idempotency }: CallContext,
): Promise<StartProcessResponse> {
  const call = await creditsFirst(principal, () => toProcessCall(principal, body, files, requestId));
  return startTurn(principal, call, idempotency, ({ sessionId, status }) => ({
    sessionId,
    status,
    fileUrl: call.files?.[0]?.url ?? "",
  }));
}

/**
 * The call as all calls that start work are handled, for a quote too, with the file that it refers to.
 * @throws AppError NOT_FOUND for an upload that cannot be used, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function toProcessCall(
  principal: Principal,
  { prompt, uploadId, ...fields }: ProcessBody,
  sent: UploadDraft[],
  requestId: string,
): Promise<StartCall> {
  const files = uploadId === undefined ? sent : [await takeUpload(principal, uploadId)];
  return { ...fields, endpoint: "POST /process", requestId, input: prompt, inputNames: ["prompt"], files };
}

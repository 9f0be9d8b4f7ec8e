import type { StartProcessBody, StartProcessResponse } from "@/lib/contracts/process";
import { estimateCredits } from "@/lib/domain/credits";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import type { Principal } from "@/lib/domain/principal";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { env } from "@/lib/env";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { renderForCall } from "@/lib/services/templates/render-for-call";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { checkCallbackUrl } from "@/lib/services/turns/check-callback-url";

/** Bytes of a file for one token, before anything is known of its content. */
const BYTES_PER_TOKEN = { text: 4, picture: 1_000, document: 40 };

/**
 * Accepts a file with an instruction (§4.2). The file is stored; with the returned session it becomes the account's.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, URL_NOT_HTTPS, URL_NOT_ALLOWED, INSUFFICIENT_CREDITS,
 * TOKEN_LIMIT_REACHED
 */
export async function startProcess(
  principal: Principal,
  body: StartProcessBody,
  files: UploadDraft[],
  requestId: string,
): Promise<StartProcessResponse> {
  const callbackUrl = checkCallbackUrl(body.callbackUrl);
  const { text, template } = await renderForCall(principal, { ...body, input: body.prompt, inputName: "prompt" });
  const accepted = await acceptTurn(principal, {
    endpoint: "POST /process",
    requestId,
    kind: "process",
    endUserId: body.endUserId,
    input: text,
    prompt: body.prompt,
    template,
    callbackUrl,
    maxCredits: body.maxCredits,
    files,
    creditsToReserve: creditsToReserve(principal, body, text, files),
  });
  return { sessionId: accepted.sessionId, status: accepted.status, fileUrl: files[0]?.url ?? "" };
}

function creditsToReserve(principal: Principal, body: StartProcessBody, text: string, files: UploadDraft[]): number {
  const model = principal.model ?? env().DEFAULT_MODEL;
  // What does not fit the model's window is not sent to it.
  const fileTokens = Math.min(
    files.reduce((sum, file) => sum + guessTokens(file), 0),
    inputBudgetTokens(findModel(model)),
  );
  const { max } = estimateCredits(model, estimateTokens(text) + fileTokens);
  return body.maxCredits === undefined ? max : Math.min(max, body.maxCredits);
}

function guessTokens({ contentType, size }: UploadDraft): number {
  if (contentType.startsWith("image/")) return Math.min(2_500, size / BYTES_PER_TOKEN.picture + 300);
  if (contentType.startsWith("text/") || contentType.includes("json") || contentType.includes("xml"))
    return size / BYTES_PER_TOKEN.text;
  return size / BYTES_PER_TOKEN.document;
}

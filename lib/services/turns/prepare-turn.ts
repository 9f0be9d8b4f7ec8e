import { estimateCredits } from "@/lib/domain/credits";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import type { Principal } from "@/lib/domain/principal";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { env } from "@/lib/env";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { type InputName, renderForCall } from "@/lib/services/templates/render-for-call";
import type { TurnInput } from "@/lib/services/turns/accept-turn";
import { checkCallbackUrl } from "@/lib/services/turns/check-callback-url";

/** A call that starts work, whichever endpoint took it. With files it is a processing, without a chat. */
export interface StartCall {
  /** As usage and logs name it: "POST /chat". */
  endpoint: string;
  requestId: string;
  /** The message, or the instruction for the files. */
  input?: string;
  /** What the endpoint calls that, and so a template's built-in variable. */
  inputNames: readonly InputName[];
  files?: UploadDraft[];
  fileContent?: string;
  sessionId?: string;
  endUserId?: string;
  templateId?: string;
  templateVersion?: number;
  templateVars?: Record<string, string>;
  callbackUrl?: string;
  maxCredits?: number;
}

/**
 * Makes a call ready to be accepted: its callback checked, its template rendered, its credits estimated.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, VALIDATION_FAILED, URL_NOT_HTTPS, URL_NOT_ALLOWED
 */
export async function prepareTurn(principal: Principal, call: StartCall): Promise<TurnInput> {
  const { files = [], fileContent, input } = call;
  const hasFiles = files.length > 0;
  const callbackUrl = checkCallbackUrl(call.callbackUrl);
  const { text, template } = await renderForCall(principal, { ...call, isInputKept: !hasFiles });
  return {
    endpoint: call.endpoint,
    requestId: call.requestId,
    kind: hasFiles ? "process" : "chat",
    sessionId: call.sessionId,
    endUserId: call.endUserId,
    input: text,
    prompt: hasFiles ? input : undefined,
    fileContent,
    template,
    callbackUrl,
    maxCredits: call.maxCredits,
    files,
    creditsToReserve: creditsToReserve(principal, { text, fileContent, files, maxCredits: call.maxCredits }),
  };
}

/** Bytes of a file for one token, before anything is known of its content. */
const BYTES_PER_TOKEN = { text: 4, picture: 1_000, document: 40 };
const MAX_PICTURE_TOKENS = 2_500;
const SMALL_PICTURE_TOKENS = 300;

interface Estimated {
  text: string;
  fileContent?: string;
  files: UploadDraft[];
  maxCredits?: number;
}

/** What a turn is promised until it ends: what it is likely to cost. */
export function creditsToReserve(principal: Principal, { text, fileContent, files, maxCredits }: Estimated): number {
  const model = principal.model ?? env().DEFAULT_MODEL;
  // What does not fit the model's window is not sent to it.
  const fileTokens = Math.min(
    files.reduce((sum, file) => sum + guessTokens(file), 0),
    inputBudgetTokens(findModel(model)),
  );
  const { max } = estimateCredits(model, estimateTokens(text) + estimateTokens(fileContent ?? "") + fileTokens);
  return maxCredits === undefined ? max : Math.min(max, maxCredits);
}

function guessTokens({ contentType, size }: UploadDraft): number {
  if (contentType.startsWith("image/")) {
    return Math.min(MAX_PICTURE_TOKENS, size / BYTES_PER_TOKEN.picture + SMALL_PICTURE_TOKENS);
  }
  const isText = contentType.startsWith("text/") || contentType.includes("json") || contentType.includes("xml");
  return size / (isText ? BYTES_PER_TOKEN.text : BYTES_PER_TOKEN.document);
}

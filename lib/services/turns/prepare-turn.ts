import { MAX_HELD_BYTES, MAX_TEXT_BYTES } from "@/lib/domain/limits";
import type { Principal } from "@/lib/domain/principal";
import { schemaRule } from "@/lib/domain/prompt-blocks";
import { estimateReading } from "@/lib/domain/reading-plan";
import type { OutputSchema } from "@/lib/domain/schema-keywords";
import type { InputName } from "@/lib/domain/template-call";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { guessSoundSeconds, transcriptTokens } from "@/lib/domain/transcription";
import { env } from "@/lib/env";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { renderForCall } from "@/lib/services/templates/render-for-call";
import { checkCallbackUrl } from "@/lib/services/turns/check-callback-url";
import { countProjectTokens } from "@/lib/services/turns/count-project-tokens";
import { creditsForSound } from "@/lib/services/turns/keep-transcripts";
import type { TurnInput } from "@/lib/services/turns/turn-input";

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
  /** The client's own for it. */
  reference?: string;
  /** The call's own bound; the project's holds beside it. */
  maxCredits?: number;
  /** What the answer has to fit. */
  outputSchema?: OutputSchema;
}

/**
 * Makes a call ready to be accepted: its callback checked, its template rendered, its credits estimated.
 * @throws AppError NOT_FOUND, TEMPLATE_VARIABLE_MISSING, VALIDATION_FAILED, URL_NOT_HTTPS, URL_NOT_ALLOWED
 */
export async function prepareTurn(principal: Principal, call: StartCall): Promise<TurnInput> {
  const { files = [], fileContent, input } = call;
  const hasFiles = files.length > 0;
  const callbackUrl = checkCallbackUrl(call.callbackUrl);
  const bounds = creditBounds(principal, call.maxCredits);
  const { text, template } = await renderForCall(principal, { ...call, isInputKept: !hasFiles });
  const { outputSchema } = call;
  const projectTokens = await countProjectTokens(principal, { ...call, inputTokens: estimateTokens(text) });
  const addedTokens = projectTokens + (outputSchema ? estimateTokens(schemaRule(outputSchema)) : 0);
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
    reference: call.reference,
    ...bounds,
    outputSchema,
    files,
    addedTokens,
    creditsToReserve: creditsToReserve(principal, {
      text,
      fileContent,
      files,
      addedTokens,
      maxCredits: bounds.maxCredits,
    }),
  };
}

/** What a call may cost: the lower of what it names itself, if anything, and of what its project lets each call cost. */
export function creditBounds(
  { allowances }: Principal,
  named: number | undefined,
): Pick<TurnInput, "maxCredits" | "callMaxCredits"> {
  const ofProject = allowances.call;
  if (ofProject === null || (named !== undefined && named <= ofProject)) return { maxCredits: named };
  return { maxCredits: ofProject, callMaxCredits: named ?? 0 };
}

/** Bytes of a file for one token, before anything is known of its content. */
const BYTES_PER_TOKEN = { text: 4, wideText: 8, picture: 1_000, document: 40 };
const MAX_PICTURE_TOKENS = 2_500;
const SMALL_PICTURE_TOKENS = 300;

/** What of a file its cost is guessed by. */
type SizedFile = Pick<UploadDraft, "contentType" | "size">;

interface Estimated {
  text: string;
  fileContent?: string;
  files: SizedFile[];
  /** What the service adds for the project. */
  addedTokens?: number;
  maxCredits?: number;
}

/** What a turn is promised until it ends: what it is likely to cost, in parts where its text is longer than the window. */
export function creditsToReserve(principal: Principal, call: Estimated): number {
  const { text, fileContent, files, addedTokens = 0, maxCredits } = call;
  const model = principal.model ?? env().DEFAULT_MODEL;
  const fileTokens = files.reduce((sum, file) => sum + guessTokens(file), 0);
  const textTokens = estimateTokens(fileContent ?? "") + fileTokens;
  const { creditsMax } = estimateReading(model, addedTokens + estimateTokens(text), textTokens);
  const credits = creditsMax + creditsForSound(files.filter(isSound).map(guessSeconds));
  return maxCredits === undefined ? credits : Math.min(credits, maxCredits);
}

/** A large file is as often little compressed as long, and what it really takes is asked for before it is spent. */
const MAX_GUESSED_SECONDS = 3600;

function isSound({ contentType }: SizedFile): boolean {
  return /^(audio|video)\//.test(contentType);
}

function guessSeconds({ contentType, size }: SizedFile): number {
  return Math.min(guessSoundSeconds(size, contentType), MAX_GUESSED_SECONDS);
}

function guessTokens(file: SizedFile): number {
  const { contentType, size } = file;
  if (isSound(file)) return transcriptTokens(guessSeconds(file));
  if (contentType.startsWith("image/")) {
    return Math.min(MAX_PICTURE_TOKENS, size / BYTES_PER_TOKEN.picture + SMALL_PICTURE_TOKENS);
  }
  const isText = contentType.startsWith("text/") || contentType.includes("json") || contentType.includes("xml");
  const isWide = contentType.includes("charset=utf-16");
  if (isText) return Math.min(size, MAX_TEXT_BYTES) / BYTES_PER_TOKEN[isWide ? "wideText" : "text"];
  return Math.min(size, MAX_HELD_BYTES) / BYTES_PER_TOKEN.document;
}

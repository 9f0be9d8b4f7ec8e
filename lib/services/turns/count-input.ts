import { understandFile } from "@/lib/ai/files/understand-file";
import { isCutByWindow, isMoreThanFits } from "@/lib/ai/files/understood-file";
import { tokensSentAnyway } from "@/lib/domain/conversation-window";
import { estimateCredits } from "@/lib/domain/credits";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import type { Principal } from "@/lib/domain/principal";
import { MAX_READING_TOKENS, noRoomToRead, type ReadingEstimate, roomForParts } from "@/lib/domain/reading-plan";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import type { UploadDraft } from "@/lib/services/files/store-upload";
import { buildModelRequest, type SpokenTurn } from "@/lib/services/turns/build-model-request";
import { creditsForSound } from "@/lib/services/turns/keep-transcripts";
import { type CutPart, cutDocument, inlineDocument, type WholeDocument } from "@/lib/services/turns/parts/cut-document";
import { documentsOfFile } from "@/lib/services/turns/parts/documents-of-file";
import { estimateParts } from "@/lib/services/turns/parts/estimate-parts";
import { asFile, readFirstWordsOfDrafts } from "@/lib/services/turns/read-drafts";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** What goes to the model, and what the call pays for. */
export interface CountedInput {
  tokens: number;
  credits: { min: number; max: number };
}

/** Where the turn would stand, and who would answer it. */
interface TurnPlace {
  turnCount: number;
  systemPrompt: string | null;
  model: string;
}

/**
 * Counts what a call would send, for its quote: one request, or where that does not take it the parts that it would be cut
 * into, which is the same cut as the turn's own.
 * @param warnings takes what whoever asks should know
 * @returns null when the call would fail before the model is asked
 */
export async function countInput(
  principal: Principal,
  turn: TurnInput,
  place: TurnPlace,
  warnings: string[],
): Promise<CountedInput | null> {
  const { model } = place;
  const readFirst = () => readFirstWordsOfDrafts(turn.files ?? [], { lane: principal.accountId, model });
  const request = await buildModelRequest(spokenTurn(principal, turn, place), model, { payer: null, readFirst });
  const window = inputBudgetTokens(findModel(model));
  const { system, knowledge, memory } = request.context.tokens;
  const fixedTokens = tokensSentAnyway(system + knowledge + memory, estimateTokens(turn.input));
  const room = roomForParts(model, fixedTokens);
  const files: CountedFile[] = [];
  let tokens = request.tokensInEstimate;
  for (const file of turn.files ?? []) {
    const options = { lane: principal.accountId, model, maxTokens: Math.max(1, window - tokens) };
    const counted = await countFile(file, options, room?.tokens ?? 0, warnings);
    if (counted === null) return null;
    tokens += counted.tokens;
    files.push(counted);
  }
  if (!room && (request.isCut || files.some(({ isCut }) => isCut))) return warnOfFailure(noRoomToRead(), warnings);
  if (fixedTokens > window) warnings.push(TOO_LONG_WARNING);
  const soundCredits = files.reduce((sum, file) => sum + file.soundCredits, request.soundCredits);
  if (!room || (!request.isTooLong && files.every(({ isTooLong }) => !isTooLong))) {
    const sent = Math.min(tokens, Math.max(request.tokensInEstimate, window));
    return withSound({ tokens: sent, credits: estimateCredits(model, sent) }, soundCredits);
  }
  const { parts, tokensIn, creditsMin, creditsMax } = await estimateInParts(turn, files, { model, fixedTokens, room });
  if (parts > 1) {
    warnings.push(`The text is more than the model takes at once: it would be read in about ${parts} parts.`);
  }
  return withSound({ tokens: tokensIn, credits: { min: creditsMin, max: creditsMax } }, soundCredits);
}

/** Sent as it is: what the model takes is an estimate, and its server knows better. */
const TOO_LONG_WARNING =
  "The instruction, with the project's system prompt and knowledge, is more than the model takes at once: the call may fail with MODEL_REJECTED and cost nothing.";

/** The turn as it would be put together for the model. */
function spokenTurn(principal: Principal, turn: TurnInput, { turnCount, systemPrompt }: TurnPlace): SpokenTurn {
  return {
    turnId: "",
    sessionId: turn.sessionId ?? "",
    accountId: principal.accountId,
    projectId: principal.projectId,
    endUserId: turn.endUserId ?? null,
    position: turnCount,
    input: turn.input,
    fileContent: turn.fileContent ?? null,
    templateId: turn.template?.id ?? null,
    templateVersion: turn.template?.version ?? null,
    systemPrompt,
    outputSchema: turn.outputSchema ?? null,
  };
}
async function estimateInParts(
  turn: TurnInput,
  files: CountedFile[],
  { model, fixedTokens, room }: { model: string; fixedTokens: number; room: { tokens: number } },
): Promise<ReadingEstimate> {
  const documents = files.flatMap((file) => file.documents);
  if (turn.fileContent) documents.push(inlineDocument(turn.fileContent));
  const cut: CutPart[] = [];
  for (const document of documents) cut.push(...(await cutDocument(document, room.tokens)));
  const uncut = files.reduce((sum, file) => sum + (file.documents.length === 0 ? file.tokens : 0), 0);
  return estimateParts(model, fixedTokens, cut, uncut);
}

function withSound({ tokens, credits: { min, max } }: CountedInput, soundCredits: number): CountedInput {
  return { tokens, credits: { min: min + soundCredits, max: max + soundCredits } };
}

interface CountedFile {
  tokens: number;
  /** Credits for its transcript. */
  soundCredits: number;
  /** One call does not take it. */
  isTooLong: boolean;
  /** One call leaves out the end of its text. */
  isCut: boolean;
  /** What would be cut into parts: none of images, and of sound that was not heard yet. */
  documents: WholeDocument[];
}

async function countFile(
  draft: UploadDraft,
  options: { lane: string; model: string; maxTokens: number },
  partTokens: number,
  warnings: string[],
): Promise<CountedFile | null> {
  try {
    const file = { ...asFile(draft), ...options, isQuote: true };
    const { soundSeconds, seenPages, ...once } = await understandFile(file);
    const isTooLong = isMoreThanFits(once.extraction);
    const inParts = { ...file, maxTokens: MAX_READING_TOKENS, partTokens, seenPages };
    const { extraction, parts, pagesToShow } = isTooLong
      ? await understandFile(inParts)
      : { ...once, pagesToShow: seenPages };
    if (extraction.leftOut) warnings.push("The file is longer than can be read: only its beginning would be.");
    const { skipped } = extraction;
    if (skipped?.pagesReason === "limit") {
      warnings.push(`The file has more pages without text than can be shown: ${skipped.pages} would be left out.`);
    }
    return {
      tokens: extraction.tokens,
      soundCredits: soundSeconds === undefined ? 0 : creditsForSound([soundSeconds]),
      isTooLong,
      isCut: isCutByWindow(once.extraction),
      documents: documentsOfFile("", { parts, extraction }, pagesToShow),
    };
  } catch (error) {
    if (!(error instanceof TurnError)) throw error;
    return warnOfFailure(error, warnings);
  }
}

/** @returns null: the model would not be asked */
function warnOfFailure({ message, code }: TurnError, warnings: string[]): null {
  warnings.push(`${message} The call would fail with ${code} and cost nothing.`);
  return null;
}

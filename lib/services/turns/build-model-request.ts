import { estimatePartTokens } from "@/lib/ai/estimate-messages";
import { isCutByWindow, isMoreThanFits } from "@/lib/ai/files/understood-file";
import type { ModelMessage } from "@/lib/ai/model-message";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import { tokensSentAnyway } from "@/lib/domain/conversation-window";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { estimateTokens } from "@/lib/domain/token-estimate";
import type { TurnError } from "@/lib/domain/turn-errors";
import type { TurnProgress } from "@/lib/domain/turn-progress";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { frameMessages, frameReceipt } from "@/lib/services/turns/frame-request";
import { readInlineText } from "@/lib/services/turns/inline-text";
import { creditsForSound, type TranscriptPayer } from "@/lib/services/turns/keep-transcripts";
import { type Conversation, type ConversationFile, loadConversation } from "@/lib/services/turns/load-conversation";
import { loadProjectContext } from "@/lib/services/turns/load-project-context";
import { LESS, pickHistory, type ReadFiles, weighWhole } from "@/lib/services/turns/pick-history";
import { PictureRoom } from "@/lib/services/turns/picture-room";
import { type EarlierReadOptions, readEarlierFile } from "@/lib/services/turns/read-earlier-file";
import { readFirstWords } from "@/lib/services/turns/read-first-words";
import { type ReadFile, readTurnFile } from "@/lib/services/turns/read-turn-file";
import { turnLane } from "@/lib/services/turns/turn-lane";
import { inlineBlocks, isCut, userParts } from "@/lib/services/turns/user-message";

/** What is said in a turn, and where. */
export type SpokenTurn = Pick<
  ClaimedTurn,
  | "turnId"
  | "sessionId"
  | "accountId"
  | "projectId"
  | "endUserId"
  | "position"
  | "input"
  | "fileContent"
  | "templateId"
  | "templateVersion"
  | "systemPrompt"
> &
  Partial<Pick<ClaimedTurn, "endpoint" | "isInlineLong" | "hasFiles" | "hasKnowledge" | "isMemoryOn" | "outputSchema">>;

/** What the model is asked, and what the context receipt says of it. */
export interface TurnModelRequest {
  model: string;
  messages: ModelMessage[];
  tokensInEstimate: number;
  /** The longest answer that the model can give. */
  maxOutputTokens: number;
  /** Credits for transcripts that this turn pays for, beside its tokens. */
  soundCredits: number;
  /** What came along with the input is more than one call takes and was cut: it can be read in parts instead. */
  isTooLong: boolean;
  /** The end of a text that came along is not in it. */
  isCut: boolean;
  /** What the turn fails with when it cannot be read in parts: nothing of a file has room. */
  refusal?: TurnError;
  /** Used by calls for the turn before this one. */
  spent: SpentTokens;
  /** Ours, at the end of the answer. */
  closingLine?: string;
  context: ContextReceipt;
}

/** Tokens as the provider counted them. */
export interface SpentTokens {
  tokensIn: number;
  tokensOut: number;
}

/** How a request is put together: to be sent, or to be counted alone. */
export interface RequestOptions {
  /** Who pays for transcripts; null for a quote, which has nothing transcribed. */
  payer: TranscriptPayer | null;
  /** Ends the work; what is thrown then is the signal's own reason. */
  signal?: AbortSignal;
  /** Of a failure that may pass, whether the turn would end with it: what is then missing of an earlier turn stays out. */
  isLastTry?: (error: TurnError) => boolean;
  /** How files begin that are no session's yet, for a quote; without it, those of the turn are read. */
  readFirst?: () => Promise<string>;
  /** Told while a recording is transcribed. */
  onProgress?: (progress: TurnProgress) => Promise<void>;
}

/**
 * Puts together what the model sees of a turn: house rules, the project's instructions and knowledge, the end user's
 * memory, as much of the conversation as fits its window (newest first, whole messages), and the input with its files.
 * A processing's file stays part of the conversation.
 * @throws TurnError UNSUPPORTED_FILE for a file of this turn; as `readTurnFile`
 */
export async function buildModelRequest(
  turn: SpokenTurn,
  model: string,
  options: RequestOptions,
): Promise<TurnModelRequest> {
  const entry = findModel(model);
  const budgetTokens = inputBudgetTokens(entry);
  const conversation = loadConversation(turn, { tokens: budgetTokens, inlineTokens: budgetTokens });
  const [{ newestFirst, files }, project] = await Promise.all([
    conversation,
    loadProjectContext(
      turn,
      budgetTokens,
      options.readFirst ?? (() => firstWordsOf(turn, conversation, { model, ...options })),
    ),
  ]);
  const room = Math.max(1, budgetTokens - project.systemTokens - estimateTokens(turn.input));
  const inline = inlineBlocks(await readInlineText(turn, room), room);
  const maxTokens = Math.max(1, room - inline.reduce((sum, { text }) => sum + estimateTokens(text), 0));
  const reading = { lane: turnLane(turn), projectId: turn.projectId, model, maxTokens, ...options };
  const { readCurrent, ...earlier } = fileReaders(files, reading);
  const current = await readCurrent(turn.turnId);
  const input = userParts(turn.input, inline, current);
  const inputTokens = estimatePartTokens(input);
  const fixedTokens = tokensSentAnyway(project.systemTokens, inputTokens);
  const sound = current.flatMap(soundToPay);
  const onRead = (read: ReadFile[]) => void sound.push(...read.flatMap(soundToPay));
  const pictures = new PictureRoom(current);
  const weigh = weighWhole({ ...earlier, maxTokens: room, fit: (file) => pictures.fit(file), onRead });
  const history = await pickHistory(turn, { newestFirst, weigh, budgetTokens, fixedTokens });
  const frame = { turn, project, history, sound };
  const refusal = current.find((file) => file.refusal)?.refusal;
  const isInlineCut = isCut(inline, []);

  return {
    model,
    messages: frameMessages(frame, input),
    tokensInEstimate: history.tokens,
    maxOutputTokens: entry.maxOutputTokens,
    soundCredits: creditsForSound(sound),
    isTooLong:
      isInlineCut || current.some(({ extraction }) => isMoreThanFits(extraction)) || fixedTokens > budgetTokens,
    isCut: isInlineCut || current.some(({ extraction }) => isCutByWindow(extraction)),
    ...(refusal && { refusal }),
    spent: { tokensIn: 0, tokensOut: 0 },
    context: {
      ...frameReceipt(frame),
      files: current.map(({ file, extraction }) => ({ id: file.id, name: file.name, ...extraction })),
      tokens: {
        ...project.tokens,
        history: history.tokens - fixedTokens,
        ...splitInput(inputTokens, current),
        total: history.tokens,
      },
    },
  };
}

/** What the files of the turn itself are about. */
async function firstWordsOf(
  turn: SpokenTurn,
  conversation: Promise<Conversation>,
  { model, signal }: { model: string; signal?: AbortSignal },
): Promise<string> {
  const own = (await conversation).files.filter((file) => file.turnId === turn.turnId);
  return readFirstWords(own, { lane: turnLane(turn), projectId: turn.projectId, model, signal });
}

function soundToPay({ soundSeconds }: ReadFile): number[] {
  return soundSeconds === undefined ? [] : [soundSeconds];
}

/** The tokens of an input by what is the files' and what is the client's own words. */
function splitInput(inputTokens: number, files: ReadFile[]): { files: number; input: number } {
  const fileTokens = Math.min(inputTokens, estimatePartTokens(files.flatMap(({ parts }) => parts)));
  return { files: fileTokens, input: inputTokens - fileTokens };
}

/** Reads the files of this turn, and those of earlier ones: as much of each as fits, or less of it. */
function fileReaders(files: ConversationFile[], reading: EarlierReadOptions) {
  const reader =
    (read: (file: ConversationFile) => Promise<ReadFile>): ReadFiles =>
    (turnId) =>
      Promise.all(files.filter((file) => file.turnId === turnId).map(read));
  const less = { ...reading, maxTokens: Math.ceil(reading.maxTokens * LESS) };
  return {
    readCurrent: reader((file) => readTurnFile(file, { ...reading, isFirstLook: true })),
    read: reader((file) => readEarlierFile(file, reading)),
    readLess: reader((file) => readEarlierFile(file, less)),
  };
}

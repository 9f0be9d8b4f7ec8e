import { estimatePartTokens } from "@/lib/ai/estimate-messages";
import type { ModelMessage, ModelPart } from "@/lib/ai/model-message";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import { pickWindow, TOKENS_PER_MESSAGE } from "@/lib/domain/conversation-window";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { buildUserPrompt, type DataBlock } from "@/lib/domain/prompt-blocks";
import { estimateTokens, takeTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { creditsForSound, type TranscriptPayer } from "@/lib/services/turns/keep-transcripts";
import {
  type ConversationFile,
  type ConversationMessage,
  loadConversation,
} from "@/lib/services/turns/load-conversation";
import { loadProjectContext } from "@/lib/services/turns/load-project-context";
import { type ReadFile, type ReadOptions, readTurnFile } from "@/lib/services/turns/read-turn-file";

/** What is said in a turn, and where. */
export type SpokenTurn = Pick<
  ClaimedTurn,
  | "turnId"
  | "sessionId"
  | "projectId"
  | "endUserId"
  | "position"
  | "input"
  | "fileContent"
  | "templateId"
  | "templateVersion"
  | "systemPrompt"
> &
  Partial<Pick<ClaimedTurn, "hasFiles" | "hasKnowledge" | "isMemoryOn">>;

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
}

/**
 * Puts together what the model sees of a turn: house rules, the project's instructions and knowledge, the end user's
 * memory, as much of the conversation as fits its window (newest first, whole messages), and the input with its files.
 * A processing's file stays part of the conversation.
 * @throws TurnError UNSUPPORTED_FILE, FILE_UNREADABLE for a file of this turn; as `readTurnFile`
 */
export async function buildModelRequest(
  turn: SpokenTurn,
  model: string,
  options: RequestOptions,
): Promise<TurnModelRequest> {
  const entry = findModel(model);
  const budgetTokens = inputBudgetTokens(entry);
  const [{ messages, files }, project] = await Promise.all([
    loadConversation(turn),
    loadProjectContext(turn, budgetTokens),
  ]);
  const { system } = project;

  const room = Math.max(1, budgetTokens - project.systemTokens - estimateTokens(turn.input));
  const inline = inlineBlocks(turn.fileContent, room);
  const maxTokens = Math.max(1, room - inline.reduce((sum, { text }) => sum + estimateTokens(text), 0));
  const reading = { projectId: turn.projectId, model, maxTokens, ...options };
  const read = fileReader(files, reading);
  const readLess = fileReader(files, { ...reading, maxTokens: Math.ceil(maxTokens * LESS) });
  const current = await fileReader(files, { ...reading, isFirstLook: true })(turn.turnId);
  const input = userParts(turn.input, inline, current);
  const inputTokens = estimatePartTokens(input);
  const fixedTokens = project.systemTokens + inputTokens + 2 * TOKENS_PER_MESSAGE;
  const history = await withFiles(messages, { read, readLess }, room);
  const sound = [current, ...history.map(({ files: earlier }) => earlier)].flat().flatMap(soundToPay);
  const soundCredits = creditsForSound(sound);
  const window = pickWindow({ history, budgetTokens, fixedTokens });
  const refusal = current.find((file) => file.refusal)?.refusal;

  return {
    model,
    messages: [
      { role: "system", parts: [{ type: "text", text: system }] },
      ...window.messages.map(({ role, parts }) => ({ role, parts })),
      { role: "user", parts: input },
    ],
    tokensInEstimate: window.tokens,
    maxOutputTokens: entry.maxOutputTokens,
    soundCredits,
    isTooLong: isCut(inline, current) || hasMorePictures(current) || fixedTokens > budgetTokens,
    ...(refusal && { refusal }),
    spent: { tokensIn: 0, tokensOut: 0 },
    context: {
      ...(turn.templateId !== null && { template: { id: turn.templateId, version: turn.templateVersion ?? 1 } }),
      ...project.receipt,
      files: current.map(({ file, extraction }) => ({ id: file.id, name: file.name, ...extraction })),
      ...(sound.length > 0 && { transcription: { seconds: sumUp(sound), credits: soundCredits } }),
      history: { messages: window.messages.length, leftOut: window.leftOut },
      tokens: {
        ...project.tokens,
        history: window.tokens - fixedTokens,
        ...splitInput(inputTokens, current),
        total: window.tokens,
      },
    },
  };
}

function isCut(inline: DataBlock[], files: ReadFile[]): boolean {
  return (
    inline.some(({ note }) => note !== undefined) || files.some(({ extraction }) => extraction.leftOut !== undefined)
  );
}

/** Whether pages without text are more than one request shows. */
function hasMorePictures(files: ReadFile[]): boolean {
  return files.some(({ extraction }) => extraction.skipped?.pagesReason === "limit");
}

function soundToPay({ soundSeconds }: ReadFile): number[] {
  return soundSeconds === undefined ? [] : [soundSeconds];
}

/** In whole seconds. */
function sumUp(lengths: number[]): number {
  return Math.round(lengths.reduce((sum, seconds) => sum + seconds, 0));
}

/** The tokens of an input by what is the files' and what is the client's own words. */
function splitInput(inputTokens: number, files: ReadFile[]): { files: number; input: number } {
  const fileTokens = Math.min(inputTokens, estimatePartTokens(files.flatMap(({ parts }) => parts)));
  return { files: fileTokens, input: inputTokens - fileTokens };
}

interface HistoryMessage {
  role: "user" | "assistant";
  content: string;
  /** What is counted against the window: pictures too, and what a quote does not read. */
  tokens: number;
  parts: ModelPart[];
  files: ReadFile[];
}

type ReadFiles = (turnId: string) => Promise<ReadFile[]>;

/** What is left of a document of an earlier turn that is longer than the window: cut to fill it, it would take along what
 * was answered about it. */
const LESS = 0.5;

/** The messages before this turn, each with what came along with it. */
async function withFiles(
  messages: ConversationMessage[],
  { read, readLess }: { read: ReadFiles; readLess: ReadFiles },
  maxTokens: number,
): Promise<HistoryMessage[]> {
  const history: HistoryMessage[] = [];
  for (const { role, content, fileContent, turnId } of messages) {
    let files = role === "user" ? await read(turnId).catch(noFilesIfUnreadable) : [];
    let inline = role === "user" ? inlineBlocks(fileContent, maxTokens) : [];
    if (isCut(inline, files)) {
      files = await readLess(turnId).catch(noFilesIfUnreadable);
      inline = inlineBlocks(fileContent, Math.ceil(maxTokens * LESS));
    }
    const parts = role === "user" ? userParts(content, inline, files) : [textPart(content)];
    const tokens = estimatePartTokens(parts) + files.reduce((sum, file) => sum + unreadTokens(file), 0);
    history.push({ role, content, tokens, parts, files });
  }
  return history;
}

/** Of a file that a quote only measures. */
function unreadTokens({ parts, extraction }: ReadFile): number {
  return Math.max(0, extraction.tokens - estimatePartTokens(parts));
}

function fileReader(files: ConversationFile[], options: ReadOptions): ReadFiles {
  return (turnId: string) =>
    Promise.all(files.filter((file) => file.turnId === turnId).map((file) => readTurnFile(file, options)));
}

/** A file that failed its own turn does not fail the ones after it. */
function noFilesIfUnreadable(error: unknown): ReadFile[] {
  if (error instanceof TurnError) return [];
  throw error;
}

/** The call's inline context, as much of it as the window takes. */
function inlineBlocks(fileContent: string | null, maxTokens: number): DataBlock[] {
  if (!fileContent) return [];
  const text = takeTokens(fileContent, maxTokens);
  const note = text.length < fileContent.length ? { note: "only the beginning is here; the end did not fit" } : {};
  return [{ tag: "context", name: "fileContent", kind: "text", text, ...note }];
}

/** Data first, what is asked last, where models heed it best. */
function userParts(input: string, blocks: DataBlock[], files: ReadFile[]): ModelPart[] {
  return [...files.flatMap(({ parts }) => parts), textPart(buildUserPrompt(input, blocks))];
}

function textPart(text: string): ModelPart {
  return { type: "text", text };
}

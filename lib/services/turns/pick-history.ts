import { estimatePartTokens } from "@/lib/ai/estimate-messages";
import type { ModelMessage, ModelPart } from "@/lib/ai/model-message";
import { pickWindow } from "@/lib/domain/conversation-window";
import type { DataBlock } from "@/lib/domain/prompt-blocks";
import { estimateTokens, leastTokens } from "@/lib/domain/token-estimate";
import { type ConversationTurn, positionOf } from "@/lib/services/turns/load-conversation";
import { type ConversationMessage, countMessages } from "@/lib/services/turns/read-messages";
import type { ReadFile } from "@/lib/services/turns/read-turn-file";
import { inlineBlocks, isCut, userParts } from "@/lib/services/turns/user-message";

/** A message before a turn, as its model is sent it. */
export interface HistoryMessage extends ModelMessage {
  role: "user" | "assistant";
  position: number;
  /** What is counted against the window: pictures too, and what a quote does not read. */
  tokens: number;
}

/** What the model is sent of the conversation before a turn. */
export interface PickedHistory {
  /** The oldest first. */
  messages: HistoryMessage[];
  /** How many of the oldest messages did not fit. */
  leftOut: number;
  /** All that is sent, the fixed part included, in tokens. */
  tokens: number;
}

/** The messages to pick from, what the window takes, and what of it is sent in any case, in tokens. */
export interface HistoryRequest {
  newestFirst: AsyncIterable<ConversationMessage>;
  weigh: WeighMessage;
  budgetTokens: number;
  fixedTokens: number;
}

/** As `pickWindow` has it. */
export type WeighMessage = (message: ConversationMessage, roomTokens: number) => Promise<HistoryMessage | null>;

/** As much of the conversation before a turn as fits its model's window: messages that do not are not read. */
export async function pickHistory(turn: ConversationTurn, request: HistoryRequest): Promise<PickedHistory> {
  const { messages, isWhole, tokens } = await pickWindow(request);
  const oldest = messages[0]?.position ?? positionOf(turn);
  return { messages, leftOut: isWhole ? 0 : await countMessages(turn.sessionId, oldest), tokens };
}

/** A message without what came along with it. */
export async function weighText({ position, role, content }: ConversationMessage): Promise<HistoryMessage> {
  return { position, role, parts: [{ type: "text", text: content }], tokens: estimateTokens(content) };
}

/** How what came along with messages is read. */
export interface Weighing {
  /** The files of a turn, as much of each as the window takes. */
  read: ReadFiles;
  /** The same where only `LESS` of that is wanted. */
  readLess: ReadFiles;
  /** What the input leaves of the window. */
  maxTokens: number;
  /** Leaves out pictures that a request has no room for; asked of each message's files once, the newest first. */
  fit(file: ReadFile): ReadFile;
  /** Is told of the files of each message that was weighed, whether it then fits or not. */
  onRead(files: ReadFile[]): void;
}

export type ReadFiles = (turnId: string) => Promise<ReadFile[]>;

/** What is left of a document of an earlier turn that is longer than the window, or than what was said since leaves of it: cut
 * to fill it, it would take along what was answered about it. */
export const LESS = 0.5;

/**
 * Weighs messages with what came along with them, or with less of it where it is cut or all of it does not fit. Files of a
 * message that is too long without them are not read.
 */
export function weighWhole({ read, readLess, maxTokens, fit, onRead }: Weighing): WeighMessage {
  return async (message, roomTokens) => {
    const { content, fileContent, turnId } = message;
    if (estimateTokens(content) > roomTokens) return null;
    if (message.role === "assistant") return weighText(message);
    let files = await read(turnId);
    let inline = inlineBlocks(fileContent, maxTokens);
    let weighed = weighParts(message, inline, files);
    if (isCut(inline, files) || weighed.tokens > roomTokens) {
      files = await readLess(turnId);
      inline = inlineBlocks(fileContent, Math.ceil(maxTokens * LESS));
      weighed = weighParts(message, inline, files);
    }
    onRead(files);
    const fitting = files.map(fit);
    return fitting.every((file, index) => file === files[index]) ? weighed : weighParts(message, inline, fitting);
  };
}

function weighParts(
  { position, role, content }: ConversationMessage,
  inline: DataBlock[],
  files: ReadFile[],
): HistoryMessage {
  const parts: ModelPart[] = userParts(content, inline, files);
  const unread = files.reduce((sum, file) => sum + unreadTokens(file), 0);
  // What a text imitates of our delimiters shrinks to one character each: the window would never be full of such.
  const least = inline.reduce((sum, { text }) => sum + leastTokens(text.length), 0);
  return { position, role, parts, tokens: Math.max(estimatePartTokens(parts) + unread, least) };
}

/** Of a file that a quote only measures. */
function unreadTokens({ parts, extraction }: ReadFile): number {
  return Math.max(0, extraction.tokens - estimatePartTokens(parts));
}

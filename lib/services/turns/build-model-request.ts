import { estimatePartTokens } from "@/lib/ai/estimate-messages";
import type { ModelMessage, ModelPart } from "@/lib/ai/model-message";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";
import { pickWindow, TOKENS_PER_MESSAGE } from "@/lib/domain/conversation-window";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { buildUserPrompt, type DataBlock } from "@/lib/domain/prompt-blocks";
import { estimateTokens, takeTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import type { ClaimedTurn } from "@/lib/services/turns/claim-turn";
import {
  type ConversationFile,
  type ConversationMessage,
  loadConversation,
} from "@/lib/services/turns/load-conversation";
import { loadProjectContext } from "@/lib/services/turns/load-project-context";
import { type ReadFile, readTurnFile } from "@/lib/services/turns/read-turn-file";

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
  messages: ModelMessage[];
  tokensInEstimate: number;
  /** The longest answer that the model can give. */
  maxOutputTokens: number;
  context: ContextReceipt;
}

/**
 * Puts together what the model sees of a turn: house rules, the project's instructions and knowledge, the end user's
 * memory, as much of the conversation as fits its window (newest first, whole messages), and the input with its files.
 * A processing's file stays part of the conversation.
 * @throws TurnError UNSUPPORTED_FILE, FILE_UNREADABLE for a file of this turn
 */
export async function buildModelRequest(turn: SpokenTurn, model: string): Promise<TurnModelRequest> {
  const entry = findModel(model);
  const budgetTokens = inputBudgetTokens(entry);
  const [{ messages, files }, project] = await Promise.all([
    loadConversation(turn),
    loadProjectContext(turn, budgetTokens),
  ]);
  const { system } = project;

  const room = Math.max(1, budgetTokens - project.systemTokens - estimateTokens(turn.input));
  const inline = inlineBlocks(turn.fileContent, room);
  const read = fileReader(turn, files, model, room - inline.reduce((sum, { text }) => sum + estimateTokens(text), 0));
  const current = await read(turn.turnId);
  const input = userParts(turn.input, inline, current);
  const inputTokens = estimatePartTokens(input);
  const fixedTokens = project.systemTokens + inputTokens + 2 * TOKENS_PER_MESSAGE;
  const history = await withFiles(messages, read, room);
  const window = pickWindow({ history, budgetTokens, fixedTokens });

  return {
    messages: [
      { role: "system", parts: [{ type: "text", text: system }] },
      ...window.messages.map(({ role, parts }) => ({ role, parts })),
      { role: "user", parts: input },
    ],
    tokensInEstimate: window.tokens,
    maxOutputTokens: entry.maxOutputTokens,
    context: {
      ...(turn.templateId !== null && { template: { id: turn.templateId, version: turn.templateVersion ?? 1 } }),
      ...project.receipt,
      files: current.map(({ file, extraction }) => ({ id: file.id, name: file.name, ...extraction })),
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

/** The tokens of an input by what is the files' and what is the client's own words. */
function splitInput(inputTokens: number, files: ReadFile[]): { files: number; input: number } {
  const fileTokens = Math.min(inputTokens, estimatePartTokens(files.flatMap(({ parts }) => parts)));
  return { files: fileTokens, input: inputTokens - fileTokens };
}

interface HistoryMessage {
  role: "user" | "assistant";
  /** What is counted against the window. */
  content: string;
  parts: ModelPart[];
}

/** The messages before this turn, each with what came along with it. */
async function withFiles(
  messages: ConversationMessage[],
  read: (turnId: string) => Promise<ReadFile[]>,
  maxTokens: number,
): Promise<HistoryMessage[]> {
  const history: HistoryMessage[] = [];
  for (const { role, content, fileContent, turnId } of messages) {
    const files = role === "user" ? await read(turnId).catch(noFilesIfUnreadable) : [];
    const parts =
      role === "user" ? userParts(content, inlineBlocks(fileContent, maxTokens), files) : [textPart(content)];
    history.push({ role, content: parts.map((part) => (part.type === "text" ? part.text : "")).join("\n"), parts });
  }
  return history;
}

function fileReader(turn: SpokenTurn, files: ConversationFile[], model: string, maxTokens: number) {
  return (turnId: string): Promise<ReadFile[]> =>
    Promise.all(
      files
        .filter((file) => file.turnId === turnId)
        .map((file) => readTurnFile(turn.projectId, file, model, Math.max(1, maxTokens))),
    );
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

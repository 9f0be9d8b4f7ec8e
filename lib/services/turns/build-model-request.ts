import { estimatePartTokens } from "@/lib/ai/estimate-messages";
import type { ModelMessage, ModelPart } from "@/lib/ai/model-message";
import { pickWindow, TOKENS_PER_MESSAGE } from "@/lib/domain/conversation-window";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { buildSystemPrompt, buildUserPrompt, type DataBlock } from "@/lib/domain/prompt-blocks";
import { estimateTokens } from "@/lib/domain/token-estimate";
import type { ClaimedTurn } from "@/lib/services/turns/claim-turn";
import { type ConversationFile, type ConversationMessage, loadConversation } from "@/lib/services/turns/load-conversation";
import { type ReadFile, readTurnFile } from "@/lib/services/turns/read-turn-file";

/** What the model is asked, and what the context receipt says of it. */
export interface TurnModelRequest {
  messages: ModelMessage[];
  tokensInEstimate: number;
  /** The longest answer that the model can give. */
  maxOutputTokens: number;
  context: Record<string, unknown>;
}

/**
 * Puts together what the model sees of a turn: house rules and the project's instructions, as much of the conversation
 * as fits its window (newest first, whole messages), and the input with its files. A processing's file stays part of
 * the conversation.
 * @throws TurnError UNSUPPORTED_FILE, FILE_UNREADABLE for a file of this turn
 */
export async function buildModelRequest(turn: ClaimedTurn, model: string): Promise<TurnModelRequest> {
  const entry = findModel(model);
  const budgetTokens = inputBudgetTokens(entry);
  const { messages, files } = await loadConversation(turn);
  const system = buildSystemPrompt(turn.systemPrompt ? { instructions: turn.systemPrompt } : {});

  const current = await readFilesOf(turn.turnId, files, budgetTokens - estimateTokens(system) - estimateTokens(turn.input));
  const input = userParts(turn.input, turn.fileContent, current);
  const fixedTokens = estimateTokens(system) + estimatePartTokens(input) + 2 * TOKENS_PER_MESSAGE;
  const window = await pickHistory(turn, messages, files, budgetTokens, fixedTokens);

  return {
    messages: [
      { role: "system", parts: [{ type: "text", text: system }] },
      ...window.messages.map(({ role, parts }) => ({ role, parts })),
      { role: "user", parts: input },
    ],
    tokensInEstimate: window.tokens,
    maxOutputTokens: entry.maxOutputTokens,
    context: {
      template: turn.templateId && { id: turn.templateId, version: turn.templateVersion },
      files: current.map(({ file, extraction }) => ({ id: file.id, name: file.name, ...extraction })),
      history: { messages: window.messages.length, leftOut: window.leftOut },
      tokensInEstimate: window.tokens,
    },
  };
}

interface HistoryMessage {
  role: "user" | "assistant";
  /** What is counted against the window. */
  content: string;
  parts: ModelPart[];
}

/** The messages before this turn with what came along with each, as many of the newest as fit. */
async function pickHistory(
  turn: ClaimedTurn,
  messages: ConversationMessage[],
  files: ConversationFile[],
  budgetTokens: number,
  fixedTokens: number,
) {
  const history: HistoryMessage[] = [];
  for (const message of messages) {
    const read = message.role === "user" ? await readEarlierFiles(message.turnId, files, budgetTokens - fixedTokens) : [];
    const parts = message.role === "user" ? userParts(message.content, message.fileContent, read) : [textPart(message.content)];
    const content = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    history.push({ role: message.role, content, parts });
  }
  return pickWindow({ history, budgetTokens, fixedTokens });
}

function readFilesOf(turnId: string, files: ConversationFile[], budgetTokens: number): Promise<ReadFile[]> {
  return Promise.all(files.filter((file) => file.turnId === turnId).map((file) => readTurnFile(file, Math.max(0, budgetTokens))));
}

/** A file that failed its own turn does not fail the ones after it. */
async function readEarlierFiles(turnId: string, files: ConversationFile[], budgetTokens: number): Promise<ReadFile[]> {
  return readFilesOf(turnId, files, budgetTokens).catch(() => []);
}

function userParts(input: string, fileContent: string | null, files: ReadFile[]): ModelPart[] {
  const blocks: DataBlock[] = files.flatMap(({ block }) => (block ? [block] : []));
  if (fileContent) blocks.push({ tag: "context", name: "fileContent", kind: "text", text: fileContent });
  return [textPart(buildUserPrompt(input, blocks)), ...files.flatMap(({ pictures }) => pictures)];
}

function textPart(text: string): ModelPart {
  return { type: "text", text };
}

import { estimateTokens } from "@/lib/domain/token-estimate";

/** One message of a conversation, oldest first in lists. */
export interface WindowMessage {
  role: "user" | "assistant";
  content: string;
  /** Of a message that is more than its text; else the text's own estimate. */
  tokens?: number;
}

export interface WindowRequest<Message extends WindowMessage> {
  /** The messages before the current input. */
  history: readonly Message[];
  /** What the window takes in all, in tokens. */
  budgetTokens: number;
  /** What is sent in any case: the system message and the current input with its files, in tokens. */
  fixedTokens: number;
}

export interface ConversationWindow<Message extends WindowMessage> {
  messages: Message[];
  /** How many of the oldest messages did not fit. */
  leftOut: number;
  /** All that is sent, the fixed part included, in tokens. */
  tokens: number;
}

/**
 * The newest messages of the history that fit beside the fixed part: whole messages, without a gap.
 * What is left begins with a user's message, since an answer without its question misleads.
 */
export function pickWindow<Message extends WindowMessage>(
  request: WindowRequest<Message>,
): ConversationWindow<Message> {
  const { history, budgetTokens, fixedTokens } = request;
  const costs = history.map(({ content, tokens }) => (tokens ?? estimateTokens(content)) + TOKENS_PER_MESSAGE);
  let tokens = fixedTokens;
  let first = history.length;
  while (first > 0 && tokens + (costs[first - 1] ?? 0) <= budgetTokens) {
    first -= 1;
    tokens += costs[first] ?? 0;
  }
  while (first > 0 && history[first]?.role === "assistant") {
    tokens -= costs[first] ?? 0;
    first += 1;
  }
  return { messages: history.slice(first), leftOut: first, tokens };
}

/** Roles and separators of the chat format. */
export const TOKENS_PER_MESSAGE = 4;

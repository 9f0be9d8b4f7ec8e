/** A message of a conversation, as it is sent. */
export interface WindowMessage {
  role: "user" | "assistant";
  /** Of all that is sent of it. */
  tokens: number;
}

export interface WindowRequest<Source, Message extends WindowMessage> {
  /** The messages before the current input, the newest first. No more of them are taken than fit, and one. */
  newestFirst: AsyncIterable<Source> | Iterable<Source>;
  /** Makes of a message what is sent of it. Null when it is known to be more than the room that is left, in tokens. */
  weigh(message: Source, roomTokens: number): Message | null | Promise<Message | null>;
  /** What the window takes in all, in tokens. */
  budgetTokens: number;
  /** What is sent in any case, as of `tokensSentAnyway`. */
  fixedTokens: number;
}

export interface ConversationWindow<Message extends WindowMessage> {
  /** The oldest first. */
  messages: Message[];
  /** Whether nothing was left out. */
  isWhole: boolean;
  /** All that is sent, the fixed part included, in tokens. */
  tokens: number;
}

/**
 * The newest messages before an input that fit beside the fixed part: whole messages, without a gap.
 * What is left begins with a user's message, since an answer without its question misleads.
 */
export async function pickWindow<Source, Message extends WindowMessage>(
  request: WindowRequest<Source, Message>,
): Promise<ConversationWindow<Message>> {
  const { newestFirst, weigh, budgetTokens, fixedTokens } = request;
  const kept: Message[] = [];
  let tokens = fixedTokens;
  let isWhole = true;
  for await (const source of newestFirst) {
    const room = budgetTokens - tokens - TOKENS_PER_MESSAGE;
    const message = room < 0 ? null : await weigh(source, room);
    if (message === null || message.tokens > room) {
      isWhole = false;
      break;
    }
    kept.push(message);
    tokens += message.tokens + TOKENS_PER_MESSAGE;
  }
  while (!isWhole && kept.at(-1)?.role === "assistant") tokens -= (kept.pop()?.tokens ?? 0) + TOKENS_PER_MESSAGE;
  return { messages: kept.reverse(), isWhole, tokens };
}

/** Roles and separators of the chat format. */
export const TOKENS_PER_MESSAGE = 4;

/** What is sent of every conversation: the system message, and the current input with what came along, in tokens. */
export function tokensSentAnyway(systemTokens: number, inputTokens: number): number {
  return systemTokens + inputTokens + 2 * TOKENS_PER_MESSAGE;
}

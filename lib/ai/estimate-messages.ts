import { readImageSize } from "@/lib/ai/files/pictures/read-image-size";
import type { ModelMessage, ModelPart } from "@/lib/ai/model-message";
import { TOKENS_PER_MESSAGE } from "@/lib/domain/conversation-window";
import { estimateImageTokens, estimateTokens } from "@/lib/domain/token-estimate";

/** Estimated tokens of messages with all their parts: for reservations, windows, and servers that do not count. */
export function estimateMessageTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + TOKENS_PER_MESSAGE + estimatePartTokens(message.parts), 0);
}

/** Estimated tokens of the parts of one message. */
export function estimatePartTokens(parts: readonly ModelPart[]): number {
  return parts.reduce(
    (sum, part) => sum + (part.type === "text" ? estimateTokens(part.text) : estimatePicture(part.bytes)),
    0,
  );
}

function estimatePicture(bytes: Uint8Array): number {
  const { width, height } = readImageSize(bytes) ?? UNKNOWN_SIZE;
  return estimateImageTokens(width, height);
}

const UNKNOWN_SIZE = { width: 1024, height: 1024 };

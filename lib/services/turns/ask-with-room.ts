import { type ModelMessage, pictureBytes } from "@/lib/ai/model-message";
import { limitParallel, type TaskOptions } from "@/lib/limit-parallel";
import { processSingleton } from "@/lib/process-singleton";

const MB = 1024 * 1024;
/** A request with more pictures and text than so is a large one: it is in memory four or five times while it is sent and answered. */
export const LARGE_REQUEST_BYTES = MB;
/** Of large requests, all together. */
export const MAX_MB_UNDER_WAY = 192;

/**
 * Asks the model when there is room for the request. Hundreds of turns run at once, and each may show the model 20 MB of pictures, or
 * a window of a million tokens full of text: a few dozen would fill the memory of a usual server. Others wait for nothing.
 * @param ask sends the messages
 * @param options.lane whose request it is, so that one account's many keep no other's waiting
 * @throws the signal's own reason when it comes before the request's turn does
 */
export function askWithRoom<Answer>(
  messages: readonly ModelMessage[],
  ask: () => Promise<Answer>,
  options: Pick<TaskOptions, "lane" | "signal">,
): Promise<Answer> {
  const size = sizeOf(messages);
  if (size <= LARGE_REQUEST_BYTES) return ask();
  const places = Math.ceil(size / MB);
  return processSingleton("large-requests", () => limitParallel(MAX_MB_UNDER_WAY))(ask, { ...options, places });
}

/** Bytes of the pictures and characters of the text; those of other letters than Latin ones take more, and fewer fit a window. */
function sizeOf(messages: readonly ModelMessage[]): number {
  const parts = messages.flatMap((message) => message.parts);
  return parts.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), pictureBytes(parts));
}

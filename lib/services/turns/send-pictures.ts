import { limitParallel, type TaskOptions } from "@/lib/ai/files/reader/limit-parallel";
import { type ModelMessage, pictureBytes } from "@/lib/ai/model-message";
import { processSingleton } from "@/lib/process-singleton";

/** With pictures of more bytes than so, a request is a large one: it is in memory some five times while it is sent and answered. */
export const LARGE_PICTURE_BYTES = 4 * 1024 * 1024;
export const MAX_LARGE_REQUESTS = 16;

/**
 * Asks the model when there is room for the request. Hundreds of turns run at once, and each may show the model 20 MB of pictures:
 * a few dozen photos in one batch would fill the memory of a usual server. Requests without many pictures wait for nothing.
 * @param ask sends the messages
 * @param options.lane whose request it is, so that one account's many keep no other's waiting
 * @throws the signal's own reason when it comes before the request's turn does
 */
export function sendPictures<Answer>(
  messages: readonly ModelMessage[],
  ask: () => Promise<Answer>,
  options: TaskOptions,
): Promise<Answer> {
  if (pictureBytes(messages.flatMap(({ parts }) => parts)) <= LARGE_PICTURE_BYTES) return ask();
  return processSingleton("large-requests", () => limitParallel(MAX_LARGE_REQUESTS))(ask, options);
}

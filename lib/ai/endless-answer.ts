import { modelError } from "@/lib/ai/explain-model-error";
import type { TurnError } from "@/lib/domain/turn-errors";

/**
 * The most characters of one answer, of one event of it, and bytes of one that comes in one piece: some ten times what the longest
 * answers of models hold. A server that goes on would fill memory, the session's log and the one thread that serves everybody.
 */
export const MAX_ANSWER_CHARACTERS = 8 * 1024 * 1024;

/** What such an answer ends with. It is not asked for again: mostly as much would come once more. */
export function endlessAnswer(): TurnError {
  const cause = new Error(`an answer of more than ${MAX_ANSWER_CHARACTERS} characters`);
  return modelError("MODEL_UNAVAILABLE", { cause }, ENDLESS_MESSAGE);
}

const ENDLESS_MESSAGE =
  "The AI model's answer did not come to an end. Nothing was charged; change the input or the project's model and try again.";

/**
 * The text of a response that comes in one piece.
 * @param tooLong what to throw where there are more bytes than `maxBytes`
 */
export async function readWhole(response: Response, maxBytes: number, tooLong: () => Error): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

import type { Readable } from "node:stream";
import { APIError } from "openai";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { modelError } from "@/lib/ai/explain-model-error";
import { EventReader } from "@/lib/ai/read-events";
import { bodyOf } from "@/lib/ai/stream-fetch";
import type { StreamWatch } from "@/lib/ai/watch-stream";

const DONE = "[DONE]";

/**
 * Hands on the chunks of a streamed answer as they come, until the stream says that it is done, ends, or is stopped.
 * @throws APIError for an error that comes in the stream, SyntaxError for what is no JSON
 */
export async function readChunks(
  response: Response,
  watch: StreamWatch,
  onChunk: (chunk: ChatCompletionChunk) => void,
): Promise<void> {
  const body = bodyOf(response);
  if (!body) throw modelError("MODEL_UNAVAILABLE", { isRetryable: true });
  const reader = new EventReader();
  let isDone = false;
  try {
    for await (const bytes of body.iterator({ destroyOnReturn: false })) {
      // Any bytes are a sign of life, comments that keep the line open too.
      watch.touch();
      for (const { event, data } of reader.take(bytes)) {
        isDone = data === DONE;
        if (isDone) return;
        const chunk = JSON.parse(data) as ChatCompletionChunk & { error?: object };
        if (event === "error" || chunk.error) {
          throw new APIError(undefined, chunk.error ?? chunk, undefined, response.headers);
        }
        onChunk(chunk);
        // Also a sign of life: a burst may take longer to work off than it took to arrive.
        watch.touch();
      }
    }
  } catch (error) {
    // Who stopped it knows whether the answer was complete by then.
    if (!(watch.signal.aborted && (error as Error).name === "AbortError")) throw error;
  } finally {
    // The end is a few bytes behind: without them, the connection could not serve again.
    if (isDone) drain(body);
    else body.destroy();
  }
}

/** How long the end of a finished response may take, so that its connection can serve again. */
const DRAIN_MS = 1_000;

function drain(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), DRAIN_MS);
  body.once("close", () => clearTimeout(timer));
  body.resume();
}

import { modelError } from "@/lib/ai/explain-model-error";
import type { StreamWatch } from "@/lib/ai/watch-stream";

/** The response with every arrival of bytes noted, comments that keep the line open too. */
export function watchBody(response: Response, watch: StreamWatch, isFinished: () => boolean): Response {
  const reader = response.body?.getReader();
  if (!reader) throw modelError("MODEL_UNAVAILABLE", { isRetryable: true });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      watch.touch();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      // The reader stops at [DONE], a few bytes early. Letting go there would close the connection.
      if (isFinished()) void drain(reader);
      else await reader.cancel();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** How long the end of a finished response may take, so that its connection can serve again. */
const DRAIN_MS = 1_000;

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => {}), DRAIN_MS);
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete; how its connection ends is of no interest.
  } finally {
    clearTimeout(timer);
  }
}

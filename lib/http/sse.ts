import { log } from "@/lib/log";
import { metrics } from "@/lib/metrics";
import { onStopping } from "@/lib/stopping";

/** Server-Sent Events (contract §5, stream). */
export interface ServerSentEvent {
  event: string;
  /** What a client resumes after. */
  id?: number;
  /** Sent as JSON on one line. */
  data: unknown;
}

export interface SseOptions {
  /** A comment goes out after so many seconds without an event. */
  pingSeconds: number;
  /** The request's signal: ends the stream when the client is gone. */
  signal?: AbortSignal;
  /** Called once when the stream is over, however it ends. */
  onEnd?: () => void;
}

/**
 * Streams events to a client as they come.
 *
 * Events are taken from the source only as fast as the client reads, so a slow one costs no memory. When the client
 * leaves, the source's signal aborts and its iterator is returned; a source that waits for something must end that
 * wait on its signal. A source that throws breaks the connection, so that the client sees it and comes back. When the
 * process stops, streams end in order, with a hint to come back after a second: another process goes on with them.
 */
export function sseResponse(
  source: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>,
  options: SseOptions,
): Response {
  return new Response(sseStream(source, options), {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      // A proxy that compresses or collects would hold events back.
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}

/** One event as it goes over the wire. */
export function formatEvent({ event, id, data }: ServerSentEvent): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

const PING = ": ping\n\n";
const COME_BACK = "retry: 1000\n\n";
const BUFFER_BYTES = 16 * 1024;

function sseStream(
  source: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>,
  { pingSeconds, signal, onEnd }: SseOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const abort = new AbortController();
  const iterator = source(abort.signal)[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<ServerSentEvent>> | undefined;

  let isCanceled = false;

  let isEndedEarly = false;
  let letGo: (() => void) | undefined;

  const stop = () => {
    if (letGo) onEnd?.();
    letGo?.();
    letGo = undefined;
    signal?.removeEventListener("abort", stop);
    abort.abort();
    // A generator finishes its pending step first; its own signal makes that soon.
    iterator.return?.()?.catch(() => {});
  };
  const close = (controller: ReadableStreamDefaultController) => {
    if (isCanceled) return;
    if (isEndedEarly) controller.enqueue(encoder.encode(COME_BACK));
    controller.close();
  };

  return new ReadableStream<Uint8Array>(
    {
      start() {
        letGo = countOpen(() => {
          isEndedEarly = true;
          stop();
        });
        if (signal?.aborted) stop();
        else signal?.addEventListener("abort", stop, { once: true });
      },
      async pull(controller) {
        next ??= iterator.next();
        try {
          const result = await orSilence(next, pingSeconds * 1_000, abort.signal);
          if (abort.signal.aborted) return close(controller);
          if (result === "silence") return controller.enqueue(encoder.encode(PING));
          next = undefined;
          if (!result.done) return controller.enqueue(encoder.encode(formatEvent(result.value)));
          stop();
          close(controller);
        } catch (error) {
          // What a source throws after the client left is of no interest.
          if (abort.signal.aborted) return close(controller);
          log("error", "A stream broke.", {}, error);
          stop();
          controller.error(new Error("The stream broke."));
        }
      },
      cancel() {
        isCanceled = true;
        stop();
      },
    },
    { highWaterMark: BUFFER_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  );
}

/** Notes an open stream, which `end` ends when the process stops. @returns how to say that it is closed */
function countOpen(end: () => void): () => void {
  metrics().streamsOpen.inc();
  const forget = onStopping(end);
  return () => {
    metrics().streamsOpen.dec();
    forget();
  };
}

/** The promise's value, or "silence" after so long without one or when the signal aborts. */
async function orSilence<T>(promise: Promise<T>, milliseconds: number, signal: AbortSignal): Promise<T | "silence"> {
  let wake = () => {};
  const silence = new Promise<"silence">((resolve) => {
    wake = () => resolve("silence");
  });
  const timer = setTimeout(wake, milliseconds);
  signal.addEventListener("abort", wake, { once: true });
  if (signal.aborted) wake();
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", wake);
  }
}

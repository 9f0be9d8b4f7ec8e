import type { StreamPlace } from "@/lib/http/stream-places";
import { type StreamedText, streamedResponse, type TextSink } from "@/lib/http/streamed-response";
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
  /** Given back when the stream is over, however it ends. */
  place?: StreamPlace;
}

/** Where events come from. Must end its wait for the next one when the signal aborts. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<ServerSentEvent>;

/**
 * Streams events to a client as they come.
 *
 * Events are taken from the source only as fast as the client reads, so a slow one costs no memory. When the client
 * leaves, the source's signal aborts and its iterator is returned; a source that waits for something must end that
 * wait on its signal. A source that throws breaks the connection, so that the client sees it and comes back. When the
 * process stops, streams end in order, with a hint to come back after a second: another process goes on with them.
 */
export function sseResponse(source: EventSource, options: SseOptions): Response {
  return streamedResponse(new EventText(source, options), {
    "Content-Type": "text/event-stream; charset=utf-8",
    // A proxy that compresses or collects would hold events back.
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
  });
}

/** One event as it goes over the wire. */
export function formatEvent({ event, id, data }: ServerSentEvent): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${onOneLine(data)}\n\n`;
}

/** No line ends of the standard, but of JavaScript's regular expressions and of Python's `splitlines`. */
const OTHER_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** JSON on a line that stays one for whatever a client reads lines with: models copy such characters out of documents. */
function onOneLine(data: unknown): string {
  return JSON.stringify(data).replace(
    OTHER_LINE_ENDS,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const PING = ": ping\n\n";
const COME_BACK = "retry: 1000\n\n";

/**
 * The text of one stream. Most streams wait most of the time, thousands in a process: while it waits, one holds the
 * source's promise of the next event and a timer, and nothing of the call that it answers.
 */
class EventText implements StreamedText {
  readonly #iterator: AsyncIterator<ServerSentEvent>;
  readonly #abort = new AbortController();
  readonly #pingMs: number;
  #sink: TextSink | undefined;
  #ping: NodeJS.Timeout | undefined;
  #isTaking = false;
  #isFull = false;
  #isOver = false;
  #letGo: () => void;

  constructor(source: EventSource, { pingSeconds, signal, place }: SseOptions) {
    this.#iterator = source(this.#abort.signal)[Symbol.asyncIterator]();
    this.#pingMs = pingSeconds * 1_000;
    this.#letGo = countOpen(() => this.#end(COME_BACK), place);
    // Whoever comes back is told why.
    place?.occupy(() => this.#end());
    if (signal?.aborted) this.cancel();
    else signal?.addEventListener("abort", () => this.#end(), { once: true });
  }

  start(sink: TextSink): void {
    if (this.#isOver) return sink.end();
    this.#sink = sink;
    // To a client that does not read goes no ping: the timer rests until it does.
    this.#ping = setTimeout(() => this.#isFull || this.#write(PING), this.#pingMs);
    this.#take();
  }

  more(): void {
    this.#isFull = false;
    if (!this.#isOver) this.#ping?.refresh();
    this.#take();
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#ping);
    this.#letGo();
    this.#abort.abort();
    // A generator finishes its pending step first; its own signal makes that soon.
    this.#iterator.return?.()?.catch(() => {});
  }

  #take(): void {
    if (this.#isTaking || this.#isFull || this.#isOver) return;
    this.#isTaking = true;
    this.#iterator.next().then(
      (result) => this.#put(result),
      (error) => this.#break(error),
    );
  }

  #put(result: IteratorResult<ServerSentEvent>): void {
    this.#isTaking = false;
    if (this.#isOver) return;
    if (result.done) return this.#end();
    this.#write(formatEvent(result.value));
    this.#take();
  }

  /** An event that was asked for goes out also when a ping has filled the sink meanwhile. */
  #write(text: string): void {
    this.#isFull = !this.#sink?.write(text);
    this.#ping?.refresh();
  }

  #end(lastWords?: string): void {
    if (this.#isOver) return;
    this.cancel();
    if (lastWords !== undefined) this.#sink?.write(lastWords);
    this.#sink?.end();
  }

  #break(error: unknown): void {
    // What a source throws after the client left is of no interest.
    if (this.#isOver) return;
    log("error", "A stream broke.", {}, error);
    this.cancel();
    this.#sink?.fail();
  }
}

/** Notes an open stream, which `end` ends when the process stops. @returns how to say that it is closed */
function countOpen(end: () => void, place?: StreamPlace): () => void {
  metrics().streamsOpen.inc();
  const forget = onStopping(end);
  return () => {
    metrics().streamsOpen.dec();
    forget();
    place?.free();
  };
}

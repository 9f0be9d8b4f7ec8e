import { createParser } from "eventsource-parser";

/** How often a stream of the panel gives a sign of life, at least. */
export const SIGN_OF_LIFE_SECONDS = 5;

/** A line is given up that was silent for so long: two signs of life in a row did not come. */
const SILENT_AFTER_MS = 2 * SIGN_OF_LIFE_SECONDS * 1_000 + 2_000;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 4_000;
/** However long a server, or a proxy in front of it, asks to stay away. */
const LONGEST_WAIT_MS = 30_000;

/** Who follows a stream of server-sent events. */
export interface StreamListener {
  /** The server answers; again after each break. */
  onConnected(): void;
  /** The connection broke, or never came about. It is tried again. */
  onBroken(): void;
  /** @param data as it came */
  onEvent(event: string, data: string): void;
  /** Nothing is to be had by that address. Nothing more is tried. */
  onRefused(): void;
}

/**
 * Follows a stream of server-sent events until its signal aborts or the server refuses it. Unlike an `EventSource` of the browser
 * it goes on also where a proxy answers in place of a server that begins anew, and where a line went silent without a word: it
 * hears the server's signs of life. Where it goes on the server knows by the last event's id.
 */
export async function followStream(href: string, listener: StreamListener, signal: AbortSignal): Promise<void> {
  const place = { lastEventId: "", retryMs: FIRST_RETRY_MS };
  let inVain = 0;
  while (!signal.aborted) {
    const connection = new Connection(signal);
    let waitMs = 0;
    try {
      const response = await fetch(href, {
        cache: "no-store",
        headers: {
          Accept: "text/event-stream",
          ...(place.lastEventId === "" ? {} : { "Last-Event-ID": place.lastEventId }),
        },
        signal: connection.signal,
      });
      if (isStream(response)) {
        inVain = 0;
        listener.onConnected();
        await readEvents(response.body, connection, place, listener);
      } else if (isPassing(response.status)) waitMs = askedWait(response);
      else return signal.aborted ? undefined : listener.onRefused();
    } catch {
      // Of an address of our own: nothing answered, or the line broke.
    } finally {
      connection.end();
    }
    if (signal.aborted) return;
    listener.onBroken();
    await wait(Math.max(waitMs, place.retryMs, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** inVain)), signal);
    inVain += 1;
  }
}

function isStream(response: Response): response is Response & { body: ReadableStream<Uint8Array> } {
  return (
    response.status === 200 &&
    response.body !== null &&
    (response.headers.get("content-type") ?? "").startsWith("text/event-stream")
  );
}

/** Too many at once, or a server, or a proxy in front of it, that cannot just now. */
function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}

/** 0 where it does not say, or in words. */
function askedWait({ headers }: Response): number {
  return Math.min(LONGEST_WAIT_MS, Number(headers.get("retry-after")) * 1_000 || 0);
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  connection: Connection,
  place: { lastEventId: string; retryMs: number },
  listener: StreamListener,
): Promise<void> {
  const parser = createParser({
    onEvent: ({ event = "message", data }) => {
      if (!connection.signal.aborted) listener.onEvent(event, data);
    },
    onId: (id) => {
      place.lastEventId = id;
    },
    onRetry: (retryMs) => {
      place.retryMs = Math.min(retryMs, LONGEST_RETRY_MS);
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    connection.noteLife();
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

/** One try: it ends with its follower, or by itself once nothing was heard for long. */
class Connection {
  readonly #abort = new AbortController();
  readonly #forget: () => void;
  #silence: ReturnType<typeof setTimeout> | undefined;

  /** @param follower its follower's */
  constructor(follower: AbortSignal) {
    const leave = () => this.end();
    follower.addEventListener("abort", leave, { once: true });
    this.#forget = () => follower.removeEventListener("abort", leave);
    this.noteLife();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  noteLife(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.end(), SILENT_AFTER_MS);
  }

  end(): void {
    clearTimeout(this.#silence);
    this.#forget();
    this.#abort.abort();
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
}

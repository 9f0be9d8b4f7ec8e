import type { Readable } from "node:stream";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { APIError } from "openai";
import type { ChatCompletion, ChatCompletionChunk } from "openai/resources/chat/completions";
import { endlessAnswer, MAX_ANSWER_CHARACTERS } from "@/lib/ai/endless-answer";
import { toProviderError } from "@/lib/ai/error-body";
import { modelError, WRONG_ADDRESS_MESSAGE } from "@/lib/ai/explain-model-error";
import { bodyOf } from "@/lib/ai/stream-fetch";
import type { StreamWatch } from "@/lib/ai/watch-stream";
import type { TurnError } from "@/lib/domain/turn-errors";

const DONE = "[DONE]";
/** Some servers keep the line open with events of these, which say nothing. */
const NOTHING = ["", "null"];
/** No event begins like this: small servers and stand-ins of models answer in plain JSON, whatever `stream` says. */
const OPENING_BRACE = 0x7b;
/** Nor like this, as pages do; their type says nothing, since some servers send streams under that of a page. */
const LESS_THAN = 0x3c;
const SPACE = 0x20;

/** How a stream ended: said to be done, or without a word. An answer in one piece is done. */
export type StreamEnd = "done" | "silent";

/**
 * Hands on the chunks of a streamed answer as they come, until the stream says that it is done, ends, or is stopped. From a
 * server that does not stream, the whole answer is one chunk.
 * @throws APIError for an error that comes in the stream, SyntaxError for what is no JSON; TurnError for a web page, and for what
 * does not end
 */
export async function readChunks(
  response: Response,
  watch: StreamWatch,
  onChunk: (chunk: ChatCompletionChunk) => void,
): Promise<StreamEnd> {
  const body = bodyOf(response);
  if (!body) throw modelError("MODEL_UNAVAILABLE", { isRetryable: true });
  const take = <Chunk extends object>(data: string, event = ""): Chunk => {
    const chunk = JSON.parse(data) as Chunk & { error?: object; object?: string };
    if (event !== "error" && !chunk.error && chunk.object !== "error") return chunk;
    throw new APIError(undefined, toProviderError(chunk) ?? chunk, undefined, response.headers);
  };
  const events: EventSourceMessage[] = [];
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: MAX_ANSWER_CHARACTERS,
    onEvent: (event) => events.push(event),
    onError: ({ type }) => {
      // Lines that are none of an event's are left out.
      if (type === "max-buffer-size-exceeded") throw endlessAnswer();
    },
  });
  let whole: Uint8Array[] | undefined;
  let wholeBytes = 0;
  let isBegun = false;
  let isDone = false;
  try {
    for await (const bytes of body.iterator({ destroyOnReturn: false })) {
      // Any bytes are a sign of life, comments that keep the line open too.
      watch.touch();
      if (!isBegun) {
        // Blank lines may come first, to keep the line open.
        const first = bytes.find((byte: number) => byte > SPACE);
        isBegun = first !== undefined;
        if (first === OPENING_BRACE) whole = [];
        if (first === LESS_THAN) throw webPage();
      }
      whole?.push(bytes);
      if (whole) wholeBytes += bytes.byteLength;
      if (wholeBytes > MAX_ANSWER_CHARACTERS) throw endlessAnswer();
      if (!whole) parser.feed(decoder.decode(bytes, { stream: true }));
      for (const { event, data } of events.splice(0)) {
        if (NOTHING.includes(data.trim())) continue;
        isDone = data.trim() === DONE;
        if (isDone) return "done";
        onChunk(take(data, event));
        // Also a sign of life: a burst may take longer to work off than it took to arrive.
        watch.touch();
      }
    }
    if (whole) {
      onChunk(asChunk(take(Buffer.concat(whole).toString("utf8"))));
      return "done";
    }
  } catch (error) {
    // Who stopped it knows whether the answer was complete by then.
    if (!(watch.signal.aborted && (error as Error).name === "AbortError")) throw error;
  } finally {
    // The end is a few bytes behind: without them, the connection could not serve again.
    if (isDone) drain(body);
    else body.destroy();
  }
  return "silent";
}

function asChunk({ choices, ...rest }: ChatCompletion): ChatCompletionChunk {
  const whole = choices?.map(({ message, ...choice }) => ({ ...choice, delta: message }));
  return { ...rest, choices: whole, object: "chat.completion.chunk" } as ChatCompletionChunk;
}

function webPage(): TurnError {
  const cause = new Error("a web page in place of an answer");
  return modelError("MODEL_NOT_CONFIGURED", { cause }, WRONG_ADDRESS_MESSAGE);
}

/** How long the end of a finished response may take, so that its connection can serve again. */
const DRAIN_MS = 1_000;

function drain(body: Readable): void {
  const timer = setTimeout(() => body.destroy(), DRAIN_MS);
  body.once("close", () => clearTimeout(timer));
  body.resume();
}

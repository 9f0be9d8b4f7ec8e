/** Where a text goes that is made as it is sent: node's own response, or the body of a web response. */
export interface TextSink {
  /** @returns false when no more is wanted until `StreamedText.more` is called */
  write(text: string): boolean;
  end(): void;
  /** Breaks off, so that it does not look like an end. */
  fail(): void;
}

/** A text that is made as it is sent. */
export interface StreamedText {
  /** Begins to write; called once at most. */
  start(sink: TextSink): void;
  /** The sink takes more again. */
  more(): void;
  /** Nobody reads any more, or nobody ever will; more than once does nothing. */
  cancel(): void;
}

/** The texts of streamed answers: whoever writes one out needs not read its web stream. */
const texts = new WeakMap<Response, StreamedText>();
const encoder = new TextEncoder();

/**
 * An answer whose body is made as it is read. A web stream costs more memory than all else that a waiting client needs, so
 * that the self-hosted server takes the text itself (docs/decisions/0020).
 */
export function streamedResponse(text: StreamedText, headers: Record<string, string>): Response {
  const response = new Response(webStreamOf(text), { headers });
  texts.set(response, text);
  return response;
}

/** What `streamedResponse` was given; undefined of any other answer. Its body is then left alone. */
export function streamedTextOf(response: Response): StreamedText | undefined {
  return texts.get(response);
}

/** Holds nothing ahead: what was not asked for is not made. */
function webStreamOf(text: StreamedText): ReadableStream<Uint8Array> {
  let isStarted = false;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isStarted) return text.more();
        isStarted = true;
        text.start({
          write(piece) {
            controller.enqueue(encoder.encode(piece));
            return (controller.desiredSize ?? 0) > 0;
          },
          end: () => controller.close(),
          fail: () => controller.error(new Error("The stream broke.")),
        });
      },
      cancel: () => text.cancel(),
    },
    { highWaterMark: 0 },
  );
}

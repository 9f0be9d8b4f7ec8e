import type { IncomingMessage, ServerResponse } from "node:http";
import { LENGTH_HEADER } from "@/lib/http/complete-answer";
import { DRAIN_MAX_BYTES, DRAIN_MAX_SECONDS } from "@/lib/http/receive-multipart-drain";
import { textOf } from "@/lib/http/respond";
import { type StreamedText, streamedTextOf } from "@/lib/http/streamed-response";

/**
 * Writes an answer out: a text in one piece, a stream only as fast as the client reads. Never rejects. A text that is made
 * as it is sent goes on after this: nothing waits for its end.
 */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  const text = textOf(response);
  const length = text === undefined ? undefined : Buffer.byteLength(text);
  if (isTailLost(outgoing.req)) outgoing.shouldKeepAlive = false;
  outgoing.writeHead(response.status, headersOf(response, length, outgoing.req.method));
  if (text !== undefined || response.body === null) {
    if (outgoing.shouldKeepAlive || outgoing.req.complete) outgoing.end(text);
    else endAfterRequest(text, outgoing);
    return;
  }
  const streamed = streamedTextOf(response);
  if (streamed) pour(streamed, outgoing);
  else await pipe(response.body.getReader(), outgoing);
}

/**
 * Whether node would lose what follows the rest of a call on its connection. Of a call that offers another protocol (Java's
 * client offers h2c with each) node's parser stops at the end, and drops what came in one piece with it: the beginning of the
 * next call, once this one is answered early, which would then wait for ever.
 */
function isTailLost({ headers, complete }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && !complete;
}

/**
 * Answers a client that is still sending and will not use the connection again. Node closes such a one as soon as the answer
 * has ended; bytes that were not read then reset it, and the answer is lost. So the rest is read first and dropped, to a bound.
 */
function endAfterRequest(text: string | undefined, outgoing: ServerResponse): void {
  const { req: incoming } = outgoing;
  let left = DRAIN_MAX_BYTES;
  const end = () => {
    clearTimeout(timer);
    if (!outgoing.writableEnded) outgoing.end();
  };
  const timer = setTimeout(end, DRAIN_MAX_SECONDS * 1_000).unref();
  outgoing.flushHeaders();
  if (text) outgoing.write(text);
  for (const event of ["end", "error", "close"]) incoming.once(event, end);
  // Takes what comes, unless somebody reads it already: then it only looks on.
  incoming.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
}

function pour(text: StreamedText, outgoing: ServerResponse): void {
  outgoing.once("close", () => text.cancel());
  // The client may be gone already.
  if (outgoing.destroyed) return text.cancel();
  outgoing.on("drain", () => text.more());
  let isBegun = false;
  text.start({
    write(piece) {
      isBegun = true;
      return outgoing.write(piece);
    },
    end: () => outgoing.end(),
    fail: () => outgoing.destroy(),
  });
  // A first piece that is there at once goes in one packet with the headers.
  setImmediate(() => {
    if (!isBegun && !outgoing.writableEnded) outgoing.flushHeaders();
  });
}

/** Name after value after name, as node writes them fastest. */
function headersOf({ headers, status, body }: Response, length: number | undefined, method?: string): string[] {
  const flat: string[] = [];
  for (const [name, value] of headers) {
    if (name !== LENGTH_HEADER && (name !== "content-length" || length === undefined)) flat.push(name, value);
  }
  if (length !== undefined) flat.push("content-length", String(length));
  else if (body === null && method !== "HEAD" && !headers.has("content-length") && status !== 204 && status !== 304) {
    flat.push("content-length", "0");
  }
  return flat;
}

async function pipe(reader: ReadableStreamDefaultReader<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const leave = () => {
    // After the last byte this does nothing.
    reader.cancel().catch(() => {});
  };
  outgoing.once("close", leave);
  // Without a listener it would end the process.
  outgoing.on("error", leave);
  // The client may be gone already.
  if (outgoing.destroyed) return leave();
  outgoing.flushHeaders();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (outgoing.destroyed) return;
      if (done) {
        outgoing.end();
        return;
      }
      if (!outgoing.write(value)) await drained(outgoing);
    }
  } catch {
    // What breaks in the middle must not look like an end.
    outgoing.destroy();
  }
}

/** Until more can be written or nobody reads any more. Leaves no listener behind: a large file has thousands of these waits. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      outgoing.off("drain", goOn).off("close", goOn);
      resolve();
    };
    outgoing.on("drain", goOn).on("close", goOn);
  });
}

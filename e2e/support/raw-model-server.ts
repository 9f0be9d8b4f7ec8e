import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An answer of HTTP, byte for byte. */
export interface RawAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

/** What a server was asked: the parts of a request that servers differ about. */
export interface RawRequest {
  path: string;
  messages: { role: string; content: unknown }[];
  [field: string]: unknown;
}

/** A server of models whose answers are written out by the test, for the manners of those that are not OpenAI's own. */
export interface RawModelServer {
  baseUrl: string;
  asked: RawRequest[];
  answerWith(answer: (request: RawRequest) => RawAnswer): void;
  stop(): Promise<void>;
}

export async function startRawModelServer(): Promise<RawModelServer> {
  let answer: (request: RawRequest) => RawAnswer = () => ({ status: 500, body: "no answer is set" });
  const asked: RawRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const request = { ...readJson(Buffer.concat(chunks)), path: incoming.url ?? "" };
      asked.push(request);
      const { status = 200, headers = STREAM, body } = answer(request);
      outgoing.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    answerWith: (next) => {
      answer = next;
    },
    stop: () => close(server),
  };
}

const STREAM = { "Content-Type": "text/event-stream" };

/** A stream of chunks, with the end that the protocol has. */
export function asStream(chunks: readonly object[], end = "data: [DONE]\n\n"): RawAnswer {
  return { body: chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("") + end };
}

/** A chunk with a part of the text, or with whatever stands in its place. */
export function chunkOf(delta: object, finishReason: string | null = null, more: object = {}): object {
  return {
    object: "chat.completion.chunk",
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
    ...more,
  };
}

/** A whole answer as most servers stream it. */
export function said(text: string): RawAnswer {
  const usage = { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } };
  return asStream([chunkOf({ role: "assistant", content: text }), chunkOf({}, "stop"), usage]);
}

/** A refusal in JSON. */
export function refusal(status: number, body: unknown, headers: Record<string, string> = {}): RawAnswer {
  return { status, headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
}

function readJson(bytes: Buffer): { messages: RawRequest["messages"] } {
  try {
    return JSON.parse(bytes.toString("utf8")) as { messages: RawRequest["messages"] };
  } catch {
    return { messages: [] };
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

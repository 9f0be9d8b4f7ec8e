import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { stampMs } from "@/bench/support/clock";

/** A model whose first token says when it was sent. */
export interface StampingModel {
  /** Up to and including `/v1`. */
  baseUrl: string;
  /** Requests that wait for their first token. */
  waiting(): number;
  /** Sends the first tokens of all that wait at `open()`. */
  open(): void;
  stop(): Promise<void>;
}

export interface StampingOptions {
  /** From the request to the first token; "held": until `open()`. */
  firstTokenMs: number | "held";
  tokens: number;
  tokenMs: number;
}

export async function startStampingModel(options: StampingOptions): Promise<StampingModel> {
  const held = new Set<() => void>();
  const server = createServer((request, response) => {
    request.resume().once("end", () => void answer(response));
  });
  const answer = async (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (options.firstTokenMs === "held") await new Promise<void>((resolve) => held.add(resolve));
    else if (options.firstTokenMs > 0) await delay(options.firstTokenMs);
    response.write(line({ role: "assistant", content: `${stampMs()}` }));
    for (let token = 1; token < options.tokens; token++) {
      await delay(options.tokenMs);
      response.write(line({ content: " and so on" }));
    }
    const usage = { prompt_tokens: 10, completion_tokens: options.tokens, total_tokens: 10 + options.tokens };
    response.end(`${line({}, "stop")}data: ${JSON.stringify({ ...ENVELOPE, choices: [], usage })}\n\ndata: [DONE]\n\n`);
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    waiting: () => held.size,
    open() {
      for (const release of held) release();
      held.clear();
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const ENVELOPE = { id: "chatcmpl-bench", object: "chat.completion.chunk", created: 1_700_000_000, model: "bench" };

function line(delta: object, finishReason: string | null = null): string {
  return `data: ${JSON.stringify({ ...ENVELOPE, choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { readOrders } from "@/e2e/support/model-server-orders";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.stop());

const ask = (baseUrl: string, content: string, stream = false, more: object = {}) =>
  fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }], stream, ...more }),
  });

async function contentOf(response: Response): Promise<string> {
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? "";
}

describe("readOrders", () => {
  it.each([
    ["plain text", {}],
    ["[[unknown]] [[fail]]x", { fault: { kind: "status", status: 0 } }],
    ["[[fail:500]]", { fault: { kind: "status", status: 500 } }],
    ["[[fail:503:2]]", { fault: { kind: "status", status: 503 }, faultTimes: 2 }],
    ["[[fail:429:1:7]]", { fault: { kind: "status", status: 429, retryAfter: "7" }, faultTimes: 1 }],
    ["[[hang]]", { fault: { kind: "hang" } }],
    ["[[break:1]]", { fault: { kind: "break" }, faultTimes: 1 }],
    ["[[hold:door]]", { holdName: "door" }],
    ["[[slow:50ms]] and [[size:5000]]", { chunkMs: 50, sizeCharacters: 5000 }],
    [
      "[[first:20ms]][[chunk:2]][[no-usage]][[answer:Hi: you]]",
      { firstChunkMs: 20, chunkCharacters: 2, isWithoutUsage: true, answer: "Hi: you" },
    ],
    [
      'Two [[tool:create_image {"prompt":"a ((fail:404)) hut"}]][[tool:create_speech {"text":"x"}]]',
      {
        toolCalls: [
          { name: "create_image", argumentsText: '{"prompt":"a ((fail:404)) hut"}' },
          { name: "create_speech", argumentsText: '{"text":"x"}' },
        ],
      },
    ],
    ["[[questions:3]][[video-fails]][[url:own]]", { videoQuestions: 3, isVideoFailing: true, pictureAddress: "own" }],
  ])("reads %j", (text, orders) => expect(readOrders(text)).toEqual(orders));
});

describe("the test model", () => {
  it("echoes the last user message", async () => {
    expect(await contentOf(await ask(server.baseUrl, "Hello"))).toBe("Echo: Hello");
  });

  it("sends no more than the first chunk until it is let go", async () => {
    const body = (await ask(server.baseUrl, "[[hold:here]] [[answer:abcd]] [[chunk:2]]", true)).body;
    const reader = (body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('"content":"ab"');
    const next = reader.read();
    expect(await Promise.race([next, new Promise((resolve) => setImmediate(resolve, "silence"))])).toBe("silence");
    await fetch(new URL("/release/here", server.baseUrl), { method: "POST" });
    expect((await next).value).toContain('"content":"cd"');
  });

  it("gives the same bytes for the same request", async () => {
    const [first, second] = await Promise.all([ask(server.baseUrl, "Same", true), ask(server.baseUrl, "Same", true)]);
    expect(await first.text()).toBe(await second.text());
  });

  it("calls tools that were offered, and no others", async () => {
    const order = '[[tool:create_image {"prompt":"x"}]]';
    const tools = [{ type: "function", function: { name: "create_image" } }];
    const offered = await ask(server.baseUrl, order, true, { tools });
    expect(await offered.text()).toContain('"tool_calls"');
    const plain = await (await ask(server.baseUrl, order, true)).text();
    expect(plain).toContain("Echo");
    expect(plain).not.toContain("tool_calls");
  });

  it("fills answers to a size", async () => {
    expect(await contentOf(await ask(server.baseUrl, "[[size:5000]]"))).toHaveLength(5000);
  });

  it("lets a message's orders go before the general ones", async () => {
    server.setBehaviour((request) => ({
      answer: `Model ${request.model}`,
      fault: { kind: "status", status: 500 },
      faultTimes: 1,
    }));
    expect((await ask(server.baseUrl, "one")).status).toBe(500);
    expect(await contentOf(await ask(server.baseUrl, "one"))).toBe("Model m");
    expect((await ask(server.baseUrl, "[[fail:418]]")).status).toBe(418);
    server.setBehaviour({});
  });

  it("stops at once with answers under way", async () => {
    const other = await startModelServer();
    const hanging = ask(other.baseUrl, "[[hang]]").then(
      () => "answered",
      () => "cut",
    );
    await other.waitForRequests(1);
    await other.stop();
    expect(await hanging).toBe("cut");
  });

  it("runs as a process of its own, with its journal over HTTP", async () => {
    const child = spawn(process.execPath, ["--import", "tsx", resolve("e2e/support/model-server-main.ts"), "0"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const [line] = (await once(child.stdout, "data")) as [Buffer];
      const baseUrl = line.toString().trim();
      expect(await contentOf(await ask(baseUrl, "From afar"))).toBe("Echo: From afar");
      const journal = (await (await fetch(new URL("/journal", baseUrl))).json()) as { lastUserText: string }[];
      expect(journal.map((entry) => entry.lastUserText)).toEqual(["From afar"]);
    } finally {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  });
});

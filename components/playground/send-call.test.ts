import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { sendCall } from "@/components/playground/send-call";

/** Calls a server that answers with this. */
async function answerOf(status: number, type: string, body: string) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { "Content-Type": type, Connection: "close" }).end(body);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const call = {
    method: "GET",
    needsKey: true,
    headers: [],
    body: { kind: "none" },
    isStream: false,
    isFile: false,
  } as const;
  return sendCall(
    { ...call, headers: [], path: `http://127.0.0.1:${port}/api/v1/account` },
    { apiKey: "bld_x", files: [], signal: new AbortController().signal, onProgress: () => {} },
  );
}

describe("sendCall", () => {
  it("reads what the API answers as JSON", async () => {
    expect(await answerOf(200, "application/json", '{"a":1}')).toMatchObject({
      status: 200,
      body: { kind: "json", value: { a: 1 } },
    });
  });

  it("shows with its status what a proxy calls JSON and is none: no answer at all would be the wrong word for it", async () => {
    expect(await answerOf(502, "application/json", "<h1>Bad gateway</h1>")).toMatchObject({
      status: 502,
      body: { kind: "text", text: "<h1>Bad gateway</h1>" },
    });
    expect(await answerOf(504, "application/json", "")).toMatchObject({ status: 504, body: { kind: "none" } });
  });
});

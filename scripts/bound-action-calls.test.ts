import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serveBounded, tooMuchToRead } from "@/scripts/support/bound-action-calls";

const MEGABYTE = 1024 * 1024;

let url: string;
/** Calls that were served, by their path. */
const served: string[] = [];

/** Answers with the body, as what stands behind it reads it. */
const server = createServer((request, response) => {
  serveBounded(request, {
    serve: () => {
      served.push(request.url ?? "");
      request.pipe(response);
    },
    refuse: (status) => {
      const { body, headers } = tooMuchToRead(status);
      response.writeHead(status, { ...headers, Connection: "close" }).end(body);
    },
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const call = (path: string, body: BodyInit, headers: Record<string, string> = { "Next-Action": "x" }) =>
  fetch(`${url}${path}`, { method: "POST", headers, body });

function formOf(fields: Record<string, string>, file?: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  if (file) form.append("file", new Blob([file]), "file.bin");
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

describe("a call of an action", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const wide = `[{${Array.from({ length: 100_001 }, (_, index) => `"${index}":1`).join()}}]`;

  it.each([
    ["nested deeply", deep],
    ["of very many values", wide],
    ["nested deeply, as a form", formOf({ "0": '["$1"]', "1": deep })],
    ["nested deeply, as a form behind a file", formOf({ "1": deep }, new Uint8Array(MEGABYTE))],
  ])("is refused before anybody makes objects of it: %s", async (what, body) => {
    const path = `/${encodeURIComponent(what)}`;
    const answer = await call(path, body);
    expect(answer.status).toBe(400);
    expect(served).not.toContain(path);
  });

  it("is refused when a form without scripts sends it", async () => {
    expect((await call("/without", formOf({ $ACTION_REF_1: "", "$ACTION_1:0": deep }), {})).status).toBe(400);
    expect(served).not.toContain("/without");
  });

  it("is refused as a form that breaks off, of whose fields nothing can be told", async () => {
    const headers = { "Next-Action": "x", "Content-Type": "multipart/form-data; boundary=b" };
    for (const body of ['--b\r\nContent-Disposition: form-data; name="0"\r\n\r\n[1]', "no form"]) {
      expect((await call("/broken", body, headers)).status).toBe(400);
    }
    expect((await call("/broken", "[1]", { ...headers, "Content-Type": "multipart/form-data" })).status).toBe(400);
    expect(served).not.toContain("/broken");
  });

  it("is refused when it is longer than any, and no more of it is read", async () => {
    const answer = await call("/long", JSON.stringify(["x".repeat(5 * MEGABYTE)]));
    expect(answer.status).toBe(413);
    expect(served).not.toContain("/long");
  });

  it.each([
    ["a text", JSON.stringify([{ content: '[{,"'.repeat(700_000) }])],
    ["no JSON", "\u0000 not JSON ["],
    ["nothing", ""],
  ])("comes as it was sent: %s", async (_what, body) => {
    expect((await (await call("/whole", body)).text()) === body).toBe(true);
  });

  it("comes with its file to the byte, whatever is in that", async () => {
    const file = new TextEncoder().encode("[,".repeat(MEGABYTE / 2));
    const sent = new Response(formOf({ "0": '["$o1"]' }, file));
    const bytes = Buffer.from(await sent.clone().arrayBuffer());
    const answer = await call("/file", bytes, { "Content-Type": sent.headers.get("content-type") ?? "" });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it("is served when all of it is here, and not at all when it breaks off", async () => {
    const half = sendRequest(`${url}/half`, { method: "POST", headers: { "Next-Action": "x", "Content-Length": 100 } });
    half.on("error", () => {});
    await new Promise<void>((resolve) => half.write("[", () => resolve()));
    const closed = new Promise((resolve) => half.once("close", resolve));
    half.destroy();
    await closed;
    expect(await (await call("/next", "[1]")).text()).toBe("[1]");
    expect(served).not.toContain("/half");
  });
});

it("lets other calls through as they come, before they have ended", async () => {
  const upload = sendRequest(`${url}/api/v1/chat`, { method: "POST", headers: { "Transfer-Encoding": "chunked" } });
  upload.write("begun");
  const answer = await new Promise<import("node:http").IncomingMessage>((resolve) => upload.once("response", resolve));
  expect(served).toContain("/api/v1/chat");
  upload.end(", ended");
  expect(await text(answer)).toBe("begun, ended");
});

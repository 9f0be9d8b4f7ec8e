import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { PlaygroundCall } from "@/components/playground/playground-call";
import { sendCall } from "@/components/playground/send-call";

const CALL: PlaygroundCall = {
  method: "GET",
  path: "/api/v1/account",
  needsKey: true,
  headers: [],
  body: { kind: "none" },
  isStream: false,
  isFile: false,
};
const optionsOf = (signal = new AbortController().signal) => ({
  apiKey: "bld_x",
  files: [],
  signal,
  onProgress: () => {},
});
afterEach(() => vi.unstubAllGlobals());

/** Calls a server that answers with this. */
async function answerOf(status: number, type: string, body: string) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { "Content-Type": type, Connection: "close" }).end(body);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return sendCall({ ...CALL, path: `http://127.0.0.1:${port}/api/v1/account` }, optionsOf());
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

  it.each<[string, PlaygroundCall["body"]]>([
    ["none", { kind: "none" }],
    ["one of JSON", { kind: "json", value: { a: 1 } }],
  ])("goes by the key alone, whatever its body, %s: the panel's cookies stay here", async (_what, body) => {
    const send = vi.fn((_path: string, _options: RequestInit) => Promise.resolve(new Response(null, { status: 204 })));
    vi.stubGlobal("fetch", send);
    await sendCall({ ...CALL, body }, optionsOf());
    await sendCall({ ...CALL, body, needsKey: false }, optionsOf());
    const [withKey, without] = send.mock.calls.map(([, options]) => options);
    expect([withKey?.credentials, without?.credentials]).toEqual(["omit", "omit"]);
    // Who needs no key is told of none.
    const keyOf = (options?: RequestInit) => new Headers(options?.headers).get("X-API-Key");
    expect([keyOf(withKey), keyOf(without)]).toEqual(["bld_x", null]);
  });

  it.each([
    ["longer", "item,price\ntea,3\ncake,5\n"],
    ["shorter", "item"],
  ])(
    "sends no file that is %s than it was as it was chosen: browsers announce the size that it had",
    async (_what, text) => {
      const send = vi.fn();
      vi.stubGlobal("XMLHttpRequest", send);
      const body = {
        kind: "form",
        fields: [],
        fileField: "file",
        fileNames: ["prices.csv"],
      } satisfies PlaygroundCall["body"];
      // As Firefox gives it.
      const file = new File(["item,price\n"], "prices.csv");
      file.stream = () => new Blob([text]).stream();
      expect(await sendCall({ ...CALL, method: "POST", body }, { ...optionsOf(), files: [file] })).toBe("unreadable");
      expect(send).not.toHaveBeenCalled();
    },
  );

  it("tells a call that its reader stopped from one that reached nobody", async () => {
    const stop = new AbortController();
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("Failed to fetch");
    });
    expect(await sendCall(CALL, optionsOf(stop.signal))).toBe("unreached");
    stop.abort();
    expect(await sendCall(CALL, optionsOf(stop.signal))).toBe("stopped");
  });
});

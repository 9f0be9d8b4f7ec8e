import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { sendResponse } from "@/app/_lane/send-response";
import { toRequest } from "@/app/_lane/to-request";
import { jsonResponse } from "@/lib/http/respond";

let server: Server | undefined;

afterEach(() => server?.closeAllConnections());

/** Serves whatever the function answers, as the lane does. */
async function serving(answer: (request: Request) => Response | Promise<Response>): Promise<number> {
  server = createServer(async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    await sendResponse(await answer(toRequest(incoming)), outgoing);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const urlOf = (port: number, path = "/") => `http://127.0.0.1:${port}${path}`;

describe("a request", () => {
  it("arrives as it was sent: method, address, headers, bytes", async () => {
    const port = await serving(async (got) =>
      jsonResponse(200, {
        method: got.method,
        url: got.url,
        header: got.headers.get("x-some"),
        body: Buffer.from(await got.arrayBuffer()).toString("base64"),
      }),
    );
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
    const response = await fetch(urlOf(port, "/a?b=c%20d"), {
      method: "PUT",
      headers: { "x-some": "1, 2" },
      body: bytes,
    });
    expect(await response.json()).toEqual({
      method: "PUT",
      url: urlOf(port, "/a?b=c%20d"),
      header: "1, 2",
      body: bytes.toString("base64"),
    });
  });

  it("without a body has none", async () => {
    const port = await serving((got) => jsonResponse(200, { hasBody: got.body !== null }));
    for (const method of ["GET", "POST", "DELETE"]) {
      expect(await (await fetch(urlOf(port), { method })).json()).toEqual({ hasBody: false });
    }
  });

  it("is read no faster than it is asked for", async () => {
    let read: (() => Promise<ReadableStreamReadResult<Uint8Array>>) | undefined;
    let answer = (_response: Response) => {};
    const port = await serving((got) => {
      const reader = got.body?.getReader();
      read = () => reader?.read() ?? Promise.reject(new Error("no body"));
      return new Promise<Response>((resolve) => {
        answer = resolve;
      });
    });
    const total = 32 * 1024 * 1024;
    const outgoing = request(urlOf(port), { method: "POST", headers: { "content-length": total } });
    outgoing.on("error", () => {});
    const isTakenWhole = outgoing.write(Buffer.alloc(total));
    await expect.poll(() => read !== undefined).toBe(true);
    const first = await read?.();
    expect(first?.value?.byteLength).toBeLessThan(1024 * 1024);
    // What was not asked for is still with the client.
    expect(isTakenWhole).toBe(false);
    expect(outgoing.writableLength).toBeGreaterThan(total / 2);
    answer(jsonResponse(200, {}));
    outgoing.destroy();
  });

  it.each(["a:b", "localhost:99999", "[::1", "1.2.3.4.5", "a b"])(
    "to the host %j, which is none, arrives",
    async (host) => {
      const port = await serving((got) => jsonResponse(200, { url: got.url }));
      const { status, text } = await exchange(port, `GET /a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect([status, JSON.parse(text)]).toEqual([200, { url: "http://localhost/a" }]);
    },
  );

  it("that breaks off fails for whoever reads it", async () => {
    let failure: unknown;
    const port = await serving(async (got) => {
      failure = await got.text().catch((error: unknown) => error);
      return jsonResponse(200, {});
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345", () => socket.destroy());
    await expect.poll(() => failure).toBeInstanceOf(Error);
  });

  it("whose body nobody reads leaves the connection as good as new", async () => {
    const port = await serving(() => jsonResponse(401, {}));
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (data) => {
      received += data;
    });
    const call = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12345";
    socket.write(call + call);
    await expect.poll(() => received.split("HTTP/1.1 401").length - 1).toBe(2);
    socket.destroy();
  });
});

describe("an answer", () => {
  it.each(["keep-alive", "close"])("reaches a client that is still sending: Connection: %s", async (connection) => {
    const port = await serving(() => jsonResponse(401, { why: "no key" }));
    const body = Buffer.alloc(16 * 1024 * 1024);
    const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { status, text } = await exchange(port, head, body);
    expect([status, text]).toEqual([401, '{"why":"no key"}']);
  });

  it("comes at once, also to a client that sends no more", async () => {
    const port = await serving(() => jsonResponse(401, {}));
    const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n\r\n";
    expect(await exchange(port, head)).toMatchObject({ status: 401, text: "{}" });
  });

  it("says how long it is, once", async () => {
    const port = await serving(() => jsonResponse(201, { text: "ä" }));
    const response = await fetch(urlOf(port));
    expect(response.status).toBe(201);
    expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength('{"text":"ä"}')));
    expect(response.headers.has("x-service-content-length")).toBe(false);
  });

  it("to HEAD has the headers alone", async () => {
    const port = await serving(() => new Response(null, { headers: { "content-length": "7" } }));
    const response = await fetch(urlOf(port), { method: "HEAD" });
    expect(response.headers.get("content-length")).toBe("7");
    expect(await response.text()).toBe("");
  });

  it("to HEAD says no length that it does not know", async () => {
    const port = await serving(() => new Response(null));
    const response = await fetch(urlOf(port), { method: "HEAD" });
    expect(response.headers.has("content-length")).toBe(false);
  });

  it("without a body is whole", async () => {
    const port = await serving(() => new Response(null, { status: 204 }));
    const response = await fetch(urlOf(port));
    expect([response.status, response.headers.has("content-length")]).toEqual([204, false]);
  });

  it("is streamed as it comes, and its source ends when the client leaves", async () => {
    let isCanceled = false;
    let push = (_text: string) => {};
    const port = await serving(
      () =>
        new Response(
          new ReadableStream<Uint8Array>({
            start(controller) {
              push = (text) => controller.enqueue(new TextEncoder().encode(text));
            },
            cancel() {
              isCanceled = true;
            },
          }),
        ),
    );
    const leaving = new AbortController();
    const response = await fetch(urlOf(port), { signal: leaving.signal });
    const reader = response.body?.getReader();
    for (const text of ["one", "two"]) {
      push(text);
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(text);
    }
    leaving.abort();
    await expect.poll(() => isCanceled).toBe(true);
  });

  it("that breaks in the middle does not look like an end", async () => {
    let pulls = 0;
    const port = await serving(
      () =>
        new Response(
          new ReadableStream<Uint8Array>({
            pull(controller) {
              pulls += 1;
              if (pulls > 1) throw new Error("broken");
              controller.enqueue(new TextEncoder().encode("half"));
            },
          }),
        ),
    );
    const outcome = await fetch(urlOf(port))
      .then((response) => response.text())
      .catch(() => "broken off");
    expect(outcome).toBe("broken off");
  });

  it("of many pieces leaves nothing behind for each of them while it is sent", async () => {
    const listeners: number[] = [];
    let outgoing: ServerResponse | undefined;
    let left = 50;
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          listeners.push(outgoing ? outgoing.listenerCount("close") + outgoing.listenerCount("error") : 0);
          if (left-- > 0) controller.enqueue(new Uint8Array(256 * 1024));
          else controller.close();
        },
      });
    const port = await serving(() => new Response(body()));
    server?.prependListener("request", (_incoming, response: ServerResponse) => {
      outgoing = response;
    });
    expect((await (await fetch(urlOf(port))).arrayBuffer()).byteLength).toBe(50 * 256 * 1024);
    expect(Math.max(...listeners)).toBeLessThan(10);
  });
});

/** Sends those bytes, all of them before it reads, and gives the answer as soon as it is whole. */
function exchange(port: number, ...parts: (string | Buffer)[]): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("error", reject);
    for (const part of parts) socket.write(part);
    socket.write("", () =>
      socket.on("data", (data) => {
        received += data;
        const [head = "", text] = received.split("\r\n\r\n");
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (text === undefined || Buffer.byteLength(text) < length) return;
        socket.destroy();
        resolve({ status: Number(head.split(" ")[1]), text });
      }),
    );
  });
}

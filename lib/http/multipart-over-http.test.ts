import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BOUNDARY, file, form, MEGABYTE } from "@/e2e/support/multipart-forms";
import { gate, options, save, undo, until, useTestStore } from "@/e2e/support/multipart-stage";
import type { AppError } from "@/lib/domain/errors";
import { receiveMultipart } from "@/lib/http/receive-multipart";

const store = useTestStore();

const CONVERSIONS: [name: string, toRequest: (incoming: IncomingMessage) => Request][] = [
  [
    "a web stream made of the socket",
    (incoming) => toRequest(incoming, Readable.toWeb(incoming) as ReadableStream<Uint8Array>),
  ],
  ["the socket itself", (incoming) => toRequest(incoming, incoming as unknown as BodyInit)],
];

describe.each(CONVERSIONS)("over HTTP, with %s as the body", (_name, convert) => {
  let server: Server;
  let port: number;
  let ended: Promise<void>;

  beforeAll(async () => {
    server = createServer((incoming, outgoing) => {
      const { promise, resolve } = gate();
      ended = promise;
      receiveMultipart(convert(incoming), options({ saveFile: save, discard: undo, maxFileBytes: MEGABYTE }))
        .then(() => 200)
        .catch((error: AppError) => error.status)
        .then((status) => outgoing.writeHead(status).end(`answer ${status}`))
        .finally(resolve);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it("an early 413 reaches a client that sends on, and the rest is not stored", async () => {
    const body = form(file("file", "big.bin", Buffer.alloc(40 * MEGABYTE)));
    for (let round = 0; round < 3; round += 1) {
      expect(await sendAllThenRead(port, body, `Content-Length: ${body.length}`)).toMatch(
        /^HTTP\/1\.1 413 .*answer 413/s,
      );
    }
    expect(store.kept).toEqual([]);
  });

  it("a 413 by the declared length comes before the body", async () => {
    const answer = await sendAllThenRead(port, Buffer.alloc(0), `Content-Length: ${600 * MEGABYTE}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("fetch reads the early 413, and the next call works", async () => {
    const data = new FormData();
    data.set("file", new Blob([new Uint8Array(20 * MEGABYTE)]), "big.bin");
    const address = `http://127.0.0.1:${port}/`;
    expect((await fetch(address, { method: "POST", body: data })).status).toBe(413);
    const small = new FormData();
    small.set("file", new Blob(["hello"]), "small.txt");
    expect((await fetch(address, { method: "POST", body: small })).status).toBe(200);
    expect(store.kept.map(({ bytes }) => bytes.toString())).toEqual(["hello"]);
  });

  it("a client that is cut off leaves no file", async () => {
    const body = form(file("file", "a.bin", Buffer.alloc(500_000)), file("file", "b.bin", Buffer.alloc(500_000)));
    const socket = connect(port, "127.0.0.1");
    socket.write(headOf(`Content-Length: ${body.length}`));
    socket.write(body.subarray(0, 300_000), () => socket.destroy());
    await until(() => store.undone > 0);
    await ended;
    expect(store.kept).toEqual([]);
  });
});

function toRequest(incoming: IncomingMessage, body: BodyInit): Request {
  const headers = new Headers(incoming.headers as Record<string, string>);
  return new Request(`http://test.local${incoming.url}`, {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
}

/** Sends everything before it reads anything, as simple clients do. */
function sendAllThenRead(port: number, body: Buffer, ...headers: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    socket.on("error", reject);
    socket.write(headOf(...headers));
    socket.write(body, () => {
      let answer = "";
      socket.on("data", (chunk) => {
        answer += chunk;
        if (/answer \d+/.test(answer)) {
          socket.destroy();
          resolve(answer);
        }
      });
      socket.on("close", () => resolve(answer));
      socket.resume();
    });
  });
}

function headOf(...headers: string[]): string {
  return [
    "POST / HTTP/1.1",
    "Host: test.local",
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    ...headers,
    "",
    "",
  ].join("\r\n");
}

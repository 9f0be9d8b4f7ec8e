import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { sendResponse } from "@/app/_lane/send-response";
import { toRequest } from "@/app/_lane/to-request";
import { jsonResponse } from "@/lib/http/respond";

/** As Java's client sends it with every call. */
const OFFER = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n";
const BODY = Buffer.alloc(3 * 1024 * 1024, "x");
const POST = `POST / HTTP/1.1\r\nHost: x\r\n${OFFER}Content-Length: ${BODY.length}\r\n\r\n`;

let server: Server | undefined;

afterEach(() => server?.closeAllConnections());

/** A connection to a server that declines every offer, as ours does. */
async function connection(answer: (request: Request) => Promise<Response>) {
  server = createServer({ shouldUpgradeCallback: () => false }, async (incoming, outgoing) => {
    await sendResponse(await answer(toRequest(incoming)), outgoing);
  });
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let received = "";
  socket.on("data", (data) => {
    received += data;
  });
  return { socket, answers: (count: number) => expect.poll(() => received.split("HTTP/1.1 ").length - 1).toBe(count) };
}

describe("a call that offers another protocol", () => {
  it("is the last on its connection when it is answered before all of it is here: node loses what follows", async () => {
    const { socket, answers } = await connection(async () => jsonResponse(401, {}));
    const all = text(socket);
    socket.write(POST);
    socket.write(BODY.subarray(1));
    await answers(1);
    socket.write(BODY.subarray(0, 1));
    expect(await all).toMatch(/^HTTP\/1\.1 401 .*\r\nConnection: close\r\n.*\{\}$/s);
  });

  it("keeps its connection when all of it is here, or it has no body", async () => {
    const { socket, answers } = await connection(async (request) => {
      await request.arrayBuffer();
      return jsonResponse(200, {});
    });
    socket.write(POST);
    socket.write(BODY);
    await answers(1);
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${OFFER}\r\n`);
    await answers(2);
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${OFFER}\r\n`);
    await answers(3);
    socket.destroy();
  });
});

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { sendResponse } from "@/app/_lane/send-response";
import { type ServerSentEvent, sseResponse } from "@/lib/http/sse";

let server: Server | undefined;

beforeAll(() => {
  process.env.LOG_LEVEL = "silent";
});

afterEach(() => server?.closeAllConnections());

/** Serves a stream as the lane does. */
async function serving(source: (signal: AbortSignal) => AsyncGenerator<ServerSentEvent>): Promise<number> {
  server = createServer((_incoming, outgoing) => sendResponse(sseResponse(source, { pingSeconds: 600 }), outgoing));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

describe("a stream of events", () => {
  /** What a client gets until the connection is over, and whether it ended as it should. */
  async function received(port: number): Promise<{ text: string; isWhole: boolean }> {
    let text = "";
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`);
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString("utf8");
      return { text, isWhole: true };
    } catch {
      return { text, isWhole: false };
    }
  }

  it("tells of itself before its first event is there", async () => {
    const first = Promise.withResolvers<void>();
    const port = await serving(async function* () {
      await first.promise;
      yield { event: "chunk", id: 1, data: 1 };
    });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    first.resolve();
    expect(await response.text()).toBe("id: 1\nevent: chunk\ndata: 1\n\n");
  });

  it("has its head and an event that is there at once in one packet", async () => {
    const port = await serving(async function* (signal) {
      yield { event: "status", data: 1 };
      await once(signal, "abort");
    });
    const writes: string[] = [];
    server?.once("connection", (socket) => {
      for (const name of ["_write", "_writev"] as const) {
        const write = vi.spyOn(socket, name as "_write");
        write.mockName(name).mockImplementation((...args) => {
          writes.push(name);
          write.mockRestore();
          socket[name as "_write"](...args);
        });
      }
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    let got = "";
    while (!got.includes("event: status")) got += ((await once(socket, "data")) as [Buffer])[0];
    expect(writes).toEqual(["_writev"]);
    socket.destroy();
  });

  it("has the events in order, and ends after the last", async () => {
    const port = await serving(async function* () {
      for (const id of [1, 2, 3]) yield { event: "chunk", id, data: "ä" };
    });
    const text = [1, 2, 3].map((id) => `id: ${id}\nevent: chunk\ndata: "ä"\n\n`).join("");
    expect(await received(port)).toEqual({ text, isWhole: true });
  });

  it("whose source fails does not look like an end", async () => {
    const port = await serving(async function* () {
      yield { event: "chunk", id: 1, data: 1 };
      throw new Error("broken");
    });
    expect((await received(port)).isWhole).toBe(false);
  });

  it("takes events no faster than the client reads, and none after it has left", async () => {
    let taken = 0;
    let isOver = false;
    const port = await serving(async function* (signal) {
      try {
        for (; !signal.aborted; taken++) yield { event: "chunk", id: taken, data: "x".repeat(64 * 1024) };
      } finally {
        isOver = true;
      }
    });
    const socket = connect(port, "127.0.0.1");
    socket.pause().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    // What the buffers of the system hold, and no more.
    let before = -1;
    const isStill = () => {
      const wasTaken = before;
      before = taken;
      return taken > 0 && taken === wasTaken;
    };
    await expect.poll(isStill, { interval: 100 }).toBe(true);
    const whileUnread = taken;
    expect(whileUnread).toBeLessThan(1_000);
    socket.resume();
    await expect.poll(() => taken).toBeGreaterThan(whileUnread);
    socket.destroy();
    await expect.poll(() => isOver).toBe(true);
  });
});

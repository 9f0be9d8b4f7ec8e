import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createDedupeFetch } from "next/dist/server/lib/dedupe-fetch";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readBlobBytes } from "@/lib/storage/blob-bytes";

const BYTES = Buffer.from("0123456789");
const AWAY = { code: "SERVICE_UNAVAILABLE", status: 503, retryAfterSeconds: 30 };
const usualFetch = globalThis.fetch;

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

// As in a server of Next: what is asked twice is asked once, so it keeps a copy of each answer.
beforeEach(async () => {
  globalThis.fetch = createDedupeFetch(usualFetch);
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  globalThis.fetch = usualFetch;
  server.closeAllConnections();
  server.close();
});

describe("the bytes of a file in Vercel Blob", () => {
  it("come with the store's token, whole or in part", async () => {
    const asked: unknown[] = [];
    answer = ({ headers }, response) => {
      asked.push([headers.authorization, headers.range]);
      response.writeHead(headers.range ? 206 : 200).end(headers.range ? BYTES.subarray(2, 5) : BYTES);
    };
    expect(await bytesOf(await read())).toEqual(BYTES);
    expect(await bytesOf(await read({ range: { start: 2, end: 4 } }))).toEqual(BYTES.subarray(2, 5));
    expect(asked).toEqual([
      ["Bearer token", undefined],
      ["Bearer token", "bytes=2-4"],
    ]);
  });

  it.each([401, 403, 416, 429, 500, 503])("are refused at once where the store answers %i", async (status) => {
    answer = (_request, response) => response.writeHead(status).end("in the store's own words");
    await expect(read()).rejects.toMatchObject(AWAY);
    await expect(read()).rejects.not.toThrow("own words");
  });

  it("are none where the store knows no such file", async () => {
    answer = (_request, response) => response.writeHead(404).end("{}");
    expect(await read()).toBeNull();
  });

  it("are never looked for elsewhere: the token is for the store alone", async () => {
    const asked: (string | undefined)[] = [];
    answer = ({ url }, response) => {
      asked.push(url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    };
    await expect(read()).rejects.toMatchObject(AWAY);
    expect(asked).not.toContain("/elsewhere");
  });

  it("are not the whole file where a part was asked for", async () => {
    answer = (_request, response) => response.writeHead(200).end(BYTES);
    await expect(read({ range: { start: 2, end: 4 } })).rejects.toMatchObject(AWAY);
  });

  it("are given up where the store says nothing, before the first of them or after it", async () => {
    answer = () => {};
    await expect(read({ silenceMs: 50 })).rejects.toMatchObject(AWAY);
    answer = (_request, response) => response.writeHead(200, { "content-length": 10 }).write(BYTES.subarray(0, 3));
    const stream = await read({ silenceMs: 1_000 });
    await expect(bytesOf(stream)).rejects.toMatchObject(AWAY);
  });

  it("break off where the connection does, and do not end as if they were all", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": 10 });
      response.write(BYTES.subarray(0, 3), () => response.destroy());
    };
    await expect(bytesOf(await read())).rejects.toMatchObject(AWAY);
  });

  it("wait for whoever reads slowly: that is not the store's silence", async () => {
    answer = (_request, response) => response.writeHead(200).end(BYTES);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stream = await read({ silenceMs: 5_000 }).finally(() => vi.advanceTimersByTime(60_000));
    vi.useRealTimers();
    expect(await bytesOf(stream)).toEqual(BYTES);
  });

  it("are let go of when nobody reads on", async () => {
    answer = (_request, response) => response.writeHead(200).write(BYTES);
    const stream = await read();
    expect(await connections()).toBe(1);
    await stream?.cancel();
    await expect.poll(connections).toBe(0);
  });
});

function read(over: Partial<Parameters<typeof readBlobBytes>[0]> = {}) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/objects/x`;
  return readBlobBytes({ url, token: "token", range: undefined, silenceMs: 5_000, ...over });
}

function bytesOf(stream: Awaited<ReturnType<typeof readBlobBytes>>): Promise<Buffer> {
  if (!stream) throw new Error("The file was not found.");
  return buffer(stream as AsyncIterable<Uint8Array>);
}

function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

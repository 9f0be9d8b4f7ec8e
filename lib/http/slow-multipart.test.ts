import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BOUNDARY, field, file, form, head, MEGABYTE, request } from "@/e2e/support/multipart-forms";
import { gate, options, receive, save, undo, until, useTestStore } from "@/e2e/support/multipart-stage";
import { receiveMultipart } from "@/lib/http/receive-multipart";
import type { IncomingFile } from "@/lib/http/receive-multipart-form";

const store = useTestStore();

const good = file("file", "good.txt", "good");

describe("a form that takes its time", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is waited for as long as bytes come, however long it takes in all", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const received = receiveMultipart(request(readable), options({ saveFile: save, idleTimeoutSeconds: 10 }));
    const writer = writable.getWriter();
    const body = form(field("prompt", "slow"), good);
    for (let at = 0; at < body.length; at += 100) {
      await writer.write(body.subarray(at, at + 100));
      await vi.advanceTimersByTimeAsync(6_000);
    }
    await writer.close();
    expect({ ...(await received).fields }).toEqual({ prompt: "slow" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not given up because its files are saved slowly: its client waits too", async () => {
    const { promise: saved, resolve: goOn } = gate();
    const { promise: begun, resolve: begin } = gate();
    const saveFile = async (incoming: IncomingFile) => {
      begin();
      await saved;
      return save(incoming);
    };
    const body = form(file("file", "big.bin", Buffer.alloc(5 * MEGABYTE)), field("prompt", "x"));
    const received = receive(body, { saveFile, idleTimeoutSeconds: 10 });
    await begun;
    await vi.advanceTimersByTimeAsync(60_000);
    goOn();
    expect((await received).files).toHaveLength(1);
  });
});

describe("a good form", () => {
  it("reads the client only as fast as files are saved", async () => {
    let handedOut = 0;
    const source = async function* () {
      yield Buffer.from(head("file", "big.bin"));
      for (let at = 0; at < 64; at += 1) {
        handedOut += MEGABYTE;
        yield Buffer.alloc(MEGABYTE);
      }
      yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
    };
    const { promise, resolve } = gate();
    let mostAhead = 0;
    const saveFile = async ({ stream }: IncomingFile) => {
      let read = 0;
      await promise;
      for await (const chunk of stream) {
        read += chunk.byteLength;
        mostAhead = Math.max(mostAhead, handedOut - read);
      }
      return read;
    };
    const received = receiveMultipart(request(Readable.from(source())), options({ saveFile }));
    await until(() => handedOut >= MEGABYTE);
    await new Promise((tick) => setImmediate(tick));
    resolve();
    expect((await received).files).toEqual([64 * MEGABYTE]);
    expect(mostAhead).toBeLessThanOrEqual(6 * MEGABYTE);
  });
});

describe("a bad form", () => {
  it("is given up when no bytes arrive any more", async () => {
    const stalling = async function* () {
      yield form(good).subarray(0, 150);
      await new Promise(() => {});
    };
    const stalled = receiveMultipart(
      request(Readable.from(stalling())),
      options({ saveFile: save, discard: undo, idleTimeoutSeconds: 0.1 }),
    );
    await expect(stalled).rejects.toMatchObject({
      code: "INVALID_MULTIPART",
      message: expect.stringContaining("No bytes arrived"),
      isRetryable: true,
    });
    expect(store.kept).toEqual([]);
  });
});

it("stops draining at its bound, so that an endless body does not keep the server", async () => {
  let handedOut = 0;
  const { promise: canceled, resolve } = gate();
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      handedOut += MEGABYTE;
      controller.enqueue(new Uint8Array(MEGABYTE));
    },
    cancel: resolve,
  });
  await expect(receiveMultipart(request(endless, { "content-type": "text/plain" }), options({}))).rejects.toMatchObject(
    { status: 415 },
  );
  await canceled;
  expect(handedOut).toBeLessThanOrEqual(67 * MEGABYTE);
});

it("stops draining after ten seconds, so that a silent body does not keep the server either", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let isCanceled = false;
    const silent = new ReadableStream<Uint8Array>({
      cancel: () => {
        isCanceled = true;
      },
    });
    const refused = receiveMultipart(request(silent, { "content-type": "text/plain" }), options({}));
    await expect(refused).rejects.toMatchObject({ status: 415 });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(isCanceled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isCanceled).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

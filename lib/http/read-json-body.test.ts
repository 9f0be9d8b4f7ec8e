import { describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/domain/errors";
import { readJsonBody, readOptionalJsonBody } from "@/lib/http/read-json-body";

const MAX_BYTES = 1_000;

function request(body: RequestInit["body"], headers: Record<string, string> = {}): Request {
  return new Request("http://service.test/", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

function chunks(...parts: (string | Uint8Array | Error)[]): ReadableStream<Uint8Array> {
  const left = [...parts];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = left.shift();
      if (part === undefined) controller.close();
      else if (part instanceof Error) controller.error(part);
      else controller.enqueue(typeof part === "string" ? new TextEncoder().encode(part) : part);
    },
  });
}

/** A body that the test goes on sending; `canceled` when its receiver has had enough. */
function openBody() {
  const { promise: canceled, resolve } = Promise.withResolvers<void>();
  let send: (text: string) => void = () => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
    cancel: () => resolve(),
  });
  return { body, send, canceled };
}

async function codeOf(body: RequestInit["body"], headers?: Record<string, string>): Promise<string | undefined> {
  try {
    await readJsonBody(request(body, headers), { maxBytes: MAX_BYTES });
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

describe("readOptionalJsonBody", () => {
  it.each([undefined, "application/json", "text/plain"])("takes a call without a body, sent as %s", async (type) => {
    const headers = type === undefined ? undefined : { "Content-Type": type };
    expect(await readOptionalJsonBody(request(null, headers))).toBeUndefined();
    expect(await readOptionalJsonBody(request(chunks(), headers))).toBeUndefined();
  });

  it("reads a body that is there, and refuses one that is not JSON", async () => {
    const json = { "Content-Type": "application/json" };
    expect(await readOptionalJsonBody(request('{"a":1}', json))).toEqual({ a: 1 });
    await expect(readOptionalJsonBody(request("[]", json))).rejects.toMatchObject({ code: "INVALID_JSON" });
    await expect(readOptionalJsonBody(request("a=1"))).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  });
});

describe("readJsonBody", () => {
  it("reads an object that comes in pieces, cut within a character", async () => {
    const bytes = new TextEncoder().encode('{"message":"é😀"}');
    const body = chunks(bytes.slice(0, 13), bytes.slice(13, 15), bytes.slice(15));
    expect(await readJsonBody(request(body), { maxBytes: MAX_BYTES })).toEqual({ message: "é😀" });
  });

  it("takes a byte order mark", async () => {
    expect(await readJsonBody(request('\ufeff{"a":1}'), { maxBytes: MAX_BYTES })).toEqual({ a: 1 });
  });

  it.each([
    ["an array", "[1]"],
    ["a string", '"x"'],
    ["a number", "1"],
    ["null", "null"],
    ["nothing", ""],
    ["white space", " \n"],
    ["a form", "a=1&b=2"],
    ["invalid UTF-8", new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ["an overlong encoding", new Uint8Array([0x22, 0xc0, 0x80, 0x22])],
    ["a surrogate in UTF-8", new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0])],
  ])("refuses %s as INVALID_JSON", async (_what, body) => {
    expect(await codeOf(body)).toBe("INVALID_JSON");
  });

  it("refuses a body that was cut off as INVALID_JSON", async () => {
    expect(await codeOf(chunks('{"a":', new Error("aborted")))).toBe("INVALID_JSON");
  });

  it("takes a body of exactly the limit and refuses one byte more", async () => {
    const fill = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;
    expect(await codeOf(fill(MAX_BYTES))).toBeUndefined();
    expect(await codeOf(fill(MAX_BYTES + 1))).toBe("BODY_TOO_LARGE");
  });

  it("refuses by its stated length without reading", async () => {
    let isRead = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          isRead = true;
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    expect(await codeOf(body, { "Content-Length": String(MAX_BYTES + 1) })).toBe("BODY_TOO_LARGE");
    expect(isRead).toBe(false);
  });

  it("gives up a body that falls silent, and lets go of its connection", async () => {
    const { body, send, canceled } = openBody();
    send('{"a":');
    await expect(readJsonBody(request(body), { maxBytes: MAX_BYTES, idleSeconds: 0.02 })).rejects.toMatchObject({
      code: "INVALID_JSON",
      message: "No bytes arrived for 0.02 s; send the request again.",
      isRetryable: true,
    });
    // The first still goes to whoever gave up.
    for (let chunk = 0; chunk < 2; chunk += 1) send(" ".repeat(MAX_BYTES * 5));
    await canceled;
  });

  it("waits anew after all that comes, and keeps no timer once it is there", async () => {
    vi.useFakeTimers();
    try {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const reading = readJsonBody(request(readable), { maxBytes: MAX_BYTES, idleSeconds: 10 });
      const writer = writable.getWriter();
      for (const piece of ['{"a"', ":", "1}"]) {
        await writer.write(Buffer.from(piece));
        await vi.advanceTimersByTimeAsync(6_000);
      }
      await writer.close();
      expect(await reading).toEqual({ a: 1 });
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("gives up a body that drips on and on, and lets go of its connection", async () => {
    const { body, send, canceled } = openBody();
    const dripping = setInterval(() => send(" "), 2);
    const limits = { maxBytes: MAX_BYTES, idleSeconds: 10, totalSeconds: 0.05 };
    await expect(readJsonBody(request(body), limits)).rejects.toMatchObject({
      code: "INVALID_JSON",
      message: "The body did not arrive within 0.05 s; send the request again.",
      isRetryable: true,
    });
    clearInterval(dripping);
    // The first still goes to whoever gave up.
    for (let chunk = 0; chunk < 2; chunk += 1) send(" ".repeat(MAX_BYTES * 5));
    await canceled;
  });

  it("stops keeping what a client goes on sending, and gives up on one that never ends", async () => {
    let sent = 0;
    const { promise: canceled, resolve } = Promise.withResolvers<void>();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 100;
        controller.enqueue(new Uint8Array(100).fill(0x20));
      },
      cancel: () => resolve(),
    });
    expect(await codeOf(body)).toBe("BODY_TOO_LARGE");
    await canceled;
    expect(sent).toBeLessThan(MAX_BYTES * 8);
  });
});

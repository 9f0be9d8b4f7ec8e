import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readInTime } from "@/lib/http/read-in-time";

const REFUSAL = { code: "VALIDATION_FAILED", what: "the file", cutOff: "It was cut off." } as const;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  return { chunks: readInTime(readable.getReader(), { idleSeconds: 10 }, REFUSAL), writer: writable.getWriter() };
}

const send = (writer: WritableStreamDefaultWriter<Uint8Array>) => void writer.write(Buffer.from("x")).catch(() => {});

it("waits anew after all that comes, counts no time in which nobody asks, and keeps no timer", async () => {
  const { chunks, writer } = open();
  for (let at = 0; at < 5; at += 1) {
    const next = chunks.next();
    await vi.advanceTimersByTimeAsync(9_000);
    send(writer);
    expect((await next).done).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  const last = chunks.next();
  void writer.close();
  expect(await last).toEqual({ done: true, value: undefined });
  expect(vi.getTimerCount()).toBe(0);
});

it("gives up what falls silent, and is at peace with a client that goes away only then", async () => {
  const { chunks, writer } = open();
  const given = expect(chunks.next()).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    message: "No bytes arrived for 10 s; send the file again.",
    isRetryable: true,
  });
  await vi.advanceTimersByTimeAsync(10_000);
  await given;
  // Were its failure anybody's to catch, it would end this test.
  await writer.abort(new Error("reset"));
  await vi.advanceTimersByTimeAsync(0);
});

it("says that a body was cut off, and gives nothing of none", async () => {
  const { chunks, writer } = open();
  const next = expect(chunks.next()).rejects.toMatchObject({ message: "It was cut off.", isRetryable: true });
  await writer.abort(new Error("reset"));
  await next;
  expect(await readInTime(undefined, {}, REFUSAL).next()).toEqual({ done: true, value: undefined });
});

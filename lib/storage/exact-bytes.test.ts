import { expect, it, vi } from "vitest";
import { exactBytes } from "@/lib/storage/exact-bytes";

/** A source of pieces of ten bytes without end, or of so many of them. */
function source(pieces = Number.POSITIVE_INFINITY) {
  const cancel = vi.fn();
  let left = pieces;
  const pull = (controller: ReadableStreamDefaultController) => {
    if (left-- > 0) controller.enqueue(new Uint8Array(10));
    else controller.close();
  };
  return { stream: new ReadableStream({ pull, cancel }, { highWaterMark: 0 }), cancel };
}
const other = (came: number) => new Error(`${came} came`);

it("a file is let go of when nobody reads on: it would stay open for good", async () => {
  const { stream, cancel } = source();
  const reader = exactBytes(stream, 1_000, other).getReader();
  await reader.read();
  await reader.cancel("left");
  expect(cancel).toHaveBeenCalledExactlyOnceWith("left");
});

it("a file that is let go of while a piece of it is awaited is not taken for one that was cut short", async () => {
  const asked = Promise.withResolvers<void>();
  const stream = new ReadableStream({ pull: () => new Promise(() => asked.resolve()) }, { highWaterMark: 0 });
  const onOther = vi.fn(other);
  const reader = exactBytes(stream, 1_000, onOther).getReader();
  const piece = reader.read();
  await asked.promise;
  await reader.cancel("left");
  expect(await piece).toEqual({ done: true, value: undefined });
  expect(onOther).not.toHaveBeenCalled();
});

it("a file with more than was promised is let go of before one byte too many is given", async () => {
  const { stream, cancel } = source();
  const reader = exactBytes(stream, 15, other).getReader();
  expect((await reader.read()).value?.byteLength).toBe(10);
  await expect(reader.read()).rejects.toThrow("20 came");
  expect(cancel).toHaveBeenCalledOnce();
});

it("a file ends where it was promised to", async () => {
  const whole = exactBytes(source(2).stream, 20, other);
  expect((await new Response(whole).arrayBuffer()).byteLength).toBe(20);
  await expect(new Response(exactBytes(source(2).stream, 21, other)).arrayBuffer()).rejects.toThrow("20 came");
});

it("tells of a source that fails, once, and not of one that was let go of", async () => {
  const told = vi.fn();
  const failing = () => {
    const fails = Promise.withResolvers<void>();
    // Of the one that was let go of nobody may have asked yet.
    fails.promise.catch(() => {});
    let pieces = 0;
    const pull = (controller: ReadableStreamDefaultController) =>
      pieces++ === 0 ? controller.enqueue(new Uint8Array(10)) : fails.promise;
    const stream = new ReadableStream({ pull, cancel: () => fails.reject(new Error("gone")) }, { highWaterMark: 0 });
    return { reader: exactBytes(stream, 20, other, told).getReader(), fails };
  };
  const broken = failing();
  await broken.reader.read();
  broken.fails.reject(new Error("reset"));
  await expect(broken.reader.read()).rejects.toThrow("reset");
  expect(told).toHaveBeenCalledExactlyOnceWith(new Error("reset"), 10);
  const left = failing();
  await left.reader.read();
  const awaited = left.reader.read();
  await left.reader.cancel("left");
  expect(await awaited).toEqual({ done: true, value: undefined });
  expect(told).toHaveBeenCalledOnce();
});

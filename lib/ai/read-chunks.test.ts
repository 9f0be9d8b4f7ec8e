import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readChunks, type StreamEnd } from "@/lib/ai/read-chunks";
import { watchStream } from "@/lib/ai/watch-stream";

/** Reads an answer that comes in pieces of so many bytes. */
async function read(text: string, size: number): Promise<{ chunks: unknown[]; end: StreamEnd }> {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  const response = { ok: true, status: 200, headers: new Headers(), body: Readable.from(pieces) };
  const chunks: unknown[] = [];
  const watch = watchStream({ idleMs: 10_000, totalMs: 20_000 });
  try {
    return {
      end: await readChunks(response as unknown as Response, watch, (chunk) => chunks.push(chunk)),
      chunks,
    };
  } finally {
    watch.dispose();
  }
}

const LINES = [
  ": hello",
  "",
  'data: {"id":"one"}',
  "",
  "id: 7",
  "event: message",
  "data:{",
  'data:  "id": "two"',
  "data:}",
  "data",
  "",
  "retry: 3",
  "",
  "no field of the standard",
  "",
  'data: {"id":"žluť 😀 \u2028"}',
  "",
  "data: null",
  "",
];
const CHUNKS = [{ id: "one" }, { id: "two" }, { id: "žluť 😀 \u2028" }];

describe("readChunks", () => {
  for (const [name, end] of [
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ] as const) {
    it.each([1, 2, 3, 7, 10_000])(
      `reads the same of lines that end in ${name}, in pieces of %i bytes`,
      async (size) => {
        expect(await read([...LINES, "data: [DONE]", "", ""].join(end), size)).toEqual({ chunks: CHUNKS, end: "done" });
      },
    );
  }

  it("leaves out an event that was cut off", async () => {
    expect(await read('data: {"id":"whole"}\n\ndata: {"id":"half"}\n', 4)).toEqual({
      chunks: [{ id: "whole" }],
      end: "silent",
    });
  });
});

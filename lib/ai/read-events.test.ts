import { describe, expect, it } from "vitest";
import { EventReader, type ServerSentEvent } from "@/lib/ai/read-events";

/** Reads a text in pieces of so many bytes. */
function read(text: string, size: number): ServerSentEvent[] {
  const [reader, bytes] = [new EventReader(), Buffer.from(text)];
  const events: ServerSentEvent[] = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...reader.take(bytes.subarray(at, at + size)));
  return events;
}

const LINES = [
  ": hello",
  "",
  "data: {}",
  "",
  "id: 7",
  "event: error",
  "data:one",
  "data:  two",
  "data",
  "",
  "retry: 3",
  "",
];
const UNICODE = ["data: žluť 😀 \u2028", ""];
const EVENTS = [
  { event: "", data: "{}" },
  { event: "error", data: "one\n two\n" },
  { event: "", data: "žluť 😀 \u2028" },
];

describe("EventReader", () => {
  for (const [name, end] of [
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ] as const) {
    it.each([1, 2, 3, 7, 10_000])(`reads the same of lines that end in ${name}, in pieces of %i bytes`, (size) => {
      // Behind a CR it is not known that the line is over until something follows.
      const text = `${[...LINES, ...UNICODE].join(end)}${end}: more`;
      expect(read(text, size)).toEqual(EVENTS);
    });
  }

  it("leaves out an event that was cut off", () => {
    expect(read("data: whole\n\ndata: half\n", 4)).toEqual([{ event: "", data: "whole" }]);
  });
});

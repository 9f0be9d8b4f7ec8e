import { describe, expect, it } from "vitest";
import { leaveOutThoughts } from "@/lib/ai/inline-thoughts";

const ANSWER = 'Good day. "<think>" begins thoughts, "</think>" ends them.\n';

/** What comes out of pieces, and what of it was there before the end. */
function read(pieces: string[]): { text: string; early: string } {
  const filter = leaveOutThoughts();
  const early = pieces.map((piece) => filter.take(piece)).join("");
  return { text: early + filter.end(), early };
}

function halves(text: string): string[][] {
  return Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);
}

describe("thoughts within the text of an answer", () => {
  it.each([
    ["before the answer", `<think>\nThey greet.\n</think>\n\n${ANSWER}`],
    ["behind blank lines", `\n <think>They greet.</think>${ANSWER}`],
    ["in Mistral's marks", `[THINK]They say </think>.[/THINK]\n${ANSWER}`],
    ["that are empty", `<think></think>\n\n${ANSWER}`],
    ["twice", `<think>They greet.</think>\n<think>So do I.</think>\n${ANSWER}`],
    ["with the beginning of their end", `<think>A </thin, a </ and a </think </think>${ANSWER}`],
  ])("are left out: %s, wherever they are cut, and nothing of the answer is held back", (_, text) => {
    for (const pieces of [...halves(text), [...text]]) expect(read(pieces)).toEqual({ text: ANSWER, early: ANSWER });
  });

  it.each([
    ["an answer without thoughts", `  ${ANSWER}`],
    ["marks further on", `Yes. <think>${ANSWER}`],
    ["what begins nearly like them", `<thinking>They greet.</thinking>${ANSWER}`],
    ["a part of a mark at the end", "<thi"],
    ["blank lines alone", "\n\n "],
    ["nothing", ""],
    ["thoughts that never end, for they are all there is", "<think>They greet, and I </thin"],
    ["an end without a beginning", `They greet.</think>${ANSWER}`],
  ])("leave as it is: %s", (_, text) => {
    for (const pieces of [...halves(text), [...text]]) expect(read(pieces).text).toBe(text);
  });

  it("hands an answer without thoughts on as it comes", () => {
    const filter = leaveOutThoughts();
    expect(["Good ", "day", " <", "think>"].map((piece) => filter.take(piece))).toEqual([
      "Good ",
      "day",
      " <",
      "think>",
    ]);
    expect(filter.end()).toBe("");
  });

  it("gives thoughts alone as no answer", () => {
    expect(read(["<think>They greet.</think>", "\n\n"])).toEqual({ text: "", early: "" });
  });
});

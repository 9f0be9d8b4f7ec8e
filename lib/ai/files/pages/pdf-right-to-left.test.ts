import { describe, expect, it } from "vitest";
import { joinItems } from "@/lib/ai/files/pages/pdf-lines.mjs";

/** Pieces of a line as they are drawn, each to the right of the one before; in letters of ten points. */
function drawn(...pieces: string[]) {
  let x = 40;
  const items = pieces.map((str) => {
    const item = { str, transform: [10, 0, 0, 10, x, 700], width: str.length * 5, hasEOL: false };
    x += item.width;
    return item;
  });
  return [...items, { str: "", transform: [10, 0, 0, 10, 0, 680], width: 0, hasEOL: true }];
}

describe("a line from right to left that is drawn from its left end, piece by piece, as browsers do", () => {
  it.each([
    ["words", ["ם", "ל", "ו", "ע", " ", "ם", "ו", "ל", "ש"], "שלום עולם"],
    ["numbers, each a value", ["34", " ", "12", " ", "ב", "א"], "אב 12 34"],
    ["words of Latin letters among them", ["ש", " ", "ABC", " ", "Ltd", ", ", "ב", "א"], "אב, ABC Ltd ש"],
    [
      "words from the right in a line from the left",
      ["Name", " ", "ב", "א", " ", "ג", " ", "of", " ", "us"],
      "Name ג אב of us",
    ],
    ["letters in the shapes that they take in words", ["ﻢ", "ﻗ", "ر"], "رقم"],
    ["a ligature", ["ر", "ﻻ", "دو"], "دولار"],
  ])("is read from the right: %s", (_what, pieces, text) => {
    expect(joinItems([...drawn(...pieces), ...drawn("End")])).toBe(`${text}\nEnd`);
  });

  it("is left as it is where its pieces come in the order in which they are read, or where nothing runs so", () => {
    const items = drawn("ב", " ", "12", " ", "א").slice(0, -1).reverse();
    expect(joinItems(items)).toBe("א 12 ב");
    expect(joinItems(drawn("one", " ", "2", " ", "three"))).toBe("one 2 three");
  });
});

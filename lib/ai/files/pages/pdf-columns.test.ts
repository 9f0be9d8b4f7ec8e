import { describe, expect, it } from "vitest";
import { joinItems } from "@/lib/ai/files/pages/pdf-lines.mjs";

/** A line of words, each where it begins, in letters of ten points; what lies between is a gap. */
function line(y: number, words: Record<number, string>) {
  const found = Object.entries(words).flatMap(([at, str], index, all) => {
    const [x, width] = [Number(at), str.length * 5];
    const next = all[index + 1]?.[0];
    const gap = { str: " ", transform: [10, 0, 0, 10, x + width, y], width: Number(next) - x - width, hasEOL: false };
    return [{ str, transform: [10, 0, 0, 10, x, y], width, hasEOL: false }, ...(next ? [gap] : [])];
  });
  return [...found, { str: "", transform: [10, 0, 0, 10, 0, y], width: 0, hasEOL: true }];
}

describe("a table on a page", () => {
  const head = { 50: "Pos", 100: "Article", 300: "Count", 400: "Price" };

  it("has each value in its column, also behind cells that are empty", () => {
    const rows = [
      ...line(700, head),
      ...line(684, { 50: "1", 100: "Screw, long", 315: "99", 405: "1,50" }),
      ...line(672, { 100: "with a nut" }),
      ...line(656, { 50: "2", 100: "Sending", 405: "4,90" }),
      ...line(640, { 50: "3", 315: "5" }),
      ...line(624, { 100: "Total", 400: "6,40" }),
    ];
    expect(joinItems(rows)).toBe(
      "Pos\tArticle\tCount\tPrice\n1\tScrew, long\t99\t1,50\nwith a nut\n2\tSending\t\t4,90\n3\t\t5\n\tTotal\t\t6,40",
    );
  });

  it.each([
    ["stands in no column of it", [line(700, head), line(684, { 50: "1", 220: "between", 400: "7" })], "1\tbetween\t7"],
    ["reaches over two", [line(700, head), line(684, { 50: "1", 250: "x".repeat(34) })], `1\t${"x".repeat(34)}`],
    ["is far below", [line(700, head), line(600, { 50: "1", 400: "7" })], "1\t7"],
    [
      "follows a line of text",
      [line(700, head), line(688, { 50: "Terms." }), line(676, { 50: "1", 400: "7" })],
      "1\t7",
    ],
    ["has two columns", [line(700, { 50: "Pos", 400: "Price" }), line(684, { 400: "7" })], "7"],
    [
      "is turned",
      [line(700, head), line(684, { 50: "1", 400: "7" })].map((items) =>
        items.map((item) => ({ ...item, transform: [0, 10, -10, 0, ...item.transform.slice(4)] })),
      ),
      "1\t7",
    ],
  ])("leaves a line as it is that %s", (_how, lines, text) => {
    expect(joinItems(lines.flat()).split("\n").at(-1)).toBe(text);
  });

  it("takes no longer for lines of very many cells", () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [index * 50, "x"]));
    const text = joinItems([...line(700, many(20_000)), ...line(690, many(19_999))]);
    expect(text.split("\t")).toHaveLength(39_998);
  });
});

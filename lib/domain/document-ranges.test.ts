import { describe, expect, it } from "vitest";
import { workMs } from "@/e2e/support/work-time";
import { describeCoverage, describeRange, hasTextOnPages, joinRanges, rangesOf } from "@/lib/domain/document-ranges";
import { splitText } from "@/lib/domain/split-text";

const WORDS = "Some words of a page. ".repeat(20);

describe("rangesOf", () => {
  it.each([
    [
      "pages",
      Array.from({ length: 100 }, (_, i) => `[Page ${i + 1}]\n${WORDS}`).join("\n\n"),
      { pages: 120 },
      "pages 1-100 of 120",
    ],
    ["pages", Array.from({ length: 100 }, () => WORDS).join("\f"), {}, "pages 1-100 of 100"],
    [
      "sheets",
      Array.from({ length: 40 }, (_, i) => `[Sheet ${i + 1}: Year ${i}]\n${WORDS}`).join("\n\n"),
      { sheets: 40 },
      "sheets 1-40 of 40",
    ],
    [
      "slides",
      Array.from({ length: 40 }, (_, i) => `[Slide ${i + 1}]\n${WORDS}`).join("\n\n"),
      { slides: 40 },
      "slides 1-40 of 40",
    ],
    ["lines", Array.from({ length: 1_500 }, (_, i) => `line ${i}`).join("\n"), {}, "lines 1-1,500 of 1,500"],
    ["lines", "\n".repeat(3_000), {}, "lines 1-3,000 of 3,000"],
    ["pages", `${WORDS}\f`.repeat(40), {}, "pages 1-40 of 40"],
    ["characters", "x".repeat(12_000), {}, "characters 1-12,000 of 12,000"],
  ])("counts %s and leaves none out", (unit, text, counts, coverage) => {
    const ranges = rangesOf({ name: "a.pdf", text, ...counts }, [...splitText(text, 600)]);
    expect(ranges.length).toBeGreaterThan(1);
    expect(`${ranges[0]?.unit}s`).toBe(unit);
    expect(describeCoverage(ranges)).toBe(coverage);
    for (const [index, range] of ranges.entries()) {
      const next = ranges[index + 1];
      expect(range.last).toBeGreaterThanOrEqual(range.first);
      // A unit that is cut belongs to both.
      if (next) expect(next.first - range.last).toBeLessThanOrEqual(1);
    }
  });

  it("does not count marks that the document's own text imitates", () => {
    const text = Array.from({ length: 100 }, (_, i) => `[Page ${i + 1}]\n[Page 7]\n[Page 9999]\n${WORDS}`).join("\n\n");
    const ranges = rangesOf({ name: "a.pdf", text, pages: 100 }, [...splitText(text, 2_000)]);
    expect(describeCoverage(ranges)).toBe("pages 1-100 of 100");
  });
});

describe("hasTextOnPages", () => {
  it("takes marks alone for no text, whatever stands in them", () => {
    expect(hasTextOnPages("[Page 1]\n\n[Page 2, a scan]\n")).toBe(false);
    expect(hasTextOnPages("[Page 1]\nWords")).toBe(true);
    expect(hasTextOnPages("see [Page 1]")).toBe(true);
  });

  it.each(["\u2028", "\u2029", "\r"])(
    "looks once through a line of beginnings of marks behind %j",
    async (separator) => {
      const text = `${separator}[Page 1, `.repeat(30_000);
      // Work that grows with the square of its length took ten seconds.
      expect(await workMs(() => expect(hasTextOnPages(text)).toBe(true))).toBeLessThan(1_000);
    },
  );
});

describe("describeCoverage", () => {
  it("names documents only where there are several", () => {
    const a = { name: "a.txt", unit: "line", first: 1, last: 1, total: 9 } as const;
    expect(describeRange(a)).toBe("line 1 of 9");
    expect(describeCoverage([a, { ...a, name: "b.txt", last: 9 }])).toBe("a.txt, line 1 of 9; b.txt, lines 1-9 of 9");
  });
});

describe("joinRanges", () => {
  const range = (name: string, first: number, last: number) => ({ name, unit: "page" as const, first, last, total: 9 });

  it("makes those of one document one, and none of those of several", () => {
    expect(joinRanges([range("a.pdf", 1, 3), range("a.pdf", 4, 9)])).toEqual(range("a.pdf", 1, 9));
    expect(joinRanges([range("a.pdf", 1, 3), range("b.pdf", 1, 9)])).toBeNull();
    expect(joinRanges([])).toBeNull();
  });
});

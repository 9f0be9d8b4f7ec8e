import { describe, expect, it } from "vitest";
import { countTurns } from "@/e2e/support/count-turns";
import { describeCoverage } from "@/lib/domain/document-ranges";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { cutDocument } from "@/lib/services/turns/parts/cut-document";

const ROWS = Array.from({ length: 5_000 }, (_, index) => `${index + 1},Ship ${index + 1},${index * 3}`);

describe("cutDocument", () => {
  it("gives each part of a table its first line, and cuts between records", async () => {
    const document = { name: "ships.csv", kind: "csv", text: ["number,name,tons", ...ROWS].join("\n") };
    const parts = await cutDocument(document, 2_000);
    expect(parts.length).toBeGreaterThan(5);
    expect(parts[0]?.covers.heading).toBeUndefined();
    expect(parts[0]?.content).toMatch(/^number,name,tons\n1,Ship 1,/);
    for (const { covers, content, tokens } of parts.slice(1)) {
      expect(covers.heading).toBe("number,name,tons");
      expect(content).toMatch(/^\d+,Ship \d+,\d+\n/);
      expect(tokens).toBeLessThanOrEqual(2_000);
      expect(tokens).toBeGreaterThanOrEqual(estimateTokens(`${covers.heading}\n${content}`));
    }
    expect(parts.map(({ content }) => content).join("")).toBe(document.text);
    expect(describeCoverage(parts.flatMap(({ covers }) => covers.ranges))).toBe("lines 1-5,001 of 5,001");
  });

  it("gives each part the pictures of its pages, no more than a request takes, and counts them", async () => {
    const pages = Array.from({ length: 120 }, (_, index) => index + 1);
    const text = pages
      .map((page) => (page % 4 === 0 ? `[Page ${page}]\nWords.` : `[Page ${page}, without text]`))
      .join("\n\n");
    const shown = pages.filter((page) => page % 4 !== 0);
    const likely = shown.map((page) => ({ page, likelihood: 1, tokens: 700 }));
    const pictures = { fileId: "fil_1", pages: likely };
    const document = { name: "a.pdf", kind: "pdf", text, pages: 120, pictures };
    for (const [maxTokens, most] of [
      [800_000, 20],
      [22_000, 8],
    ] as const) {
      const parts = await cutDocument(document, maxTokens);
      expect(parts.flatMap(({ covers }) => covers.pictures?.pages ?? [])).toEqual(shown);
      expect(Math.max(...parts.map(({ covers }) => covers.pictures?.pages.length ?? 0))).toBe(most);
      for (const { covers, content, tokens } of parts) {
        const [range] = covers.ranges;
        const inside = (page: number) => page >= (range?.first ?? 0) && page <= (range?.last ?? 0);
        expect(covers.pictures).toEqual({ fileId: "fil_1", pages: shown.filter(inside) });
        expect(tokens).toBeLessThanOrEqual(maxTokens);
        expect(tokens - 700 * (covers.pictures?.pages.length ?? 0)).toBe(estimateTokens(content));
        expect(content).toMatch(/^\[Page \d+/);
      }
    }
  });

  it("says how likely the model is asked about a part, and what it takes then", async () => {
    const text = Array.from({ length: 60 }, (_, index) => `[Page ${index + 1}, without text]`).join("\n\n");
    const pages = Array.from({ length: 60 }, (_, index) => ({
      page: index + 1,
      likelihood: index < 20 ? 0 : index < 40 ? (index === 30 ? 1 : 0) : 0.1,
      tokens: 1_000,
    }));
    const cut = (more = "") =>
      cutDocument({ name: "a.pdf", kind: "pdf", text: `${text}${more}`, pictures: { fileId: "f", pages } }, 800_000);
    const [none, one, some] = await cut();
    expect(none?.likelihood).toBe(0);
    expect(one?.likelihood).toBe(1);
    expect(one?.tokens).toBe(1_000 + estimateTokens(one?.content ?? ""));
    expect(some?.likelihood).toBeCloseTo(1 - 0.9 ** 20);
    expect((some?.tokens ?? 0) * (some?.likelihood ?? 0)).toBeGreaterThan(2_000);
    expect((await cut("\nA word.")).at(-1)?.likelihood).toBe(1);
  });

  it("lets a text that imitates marks of pages move no picture out of the document, nor double it", async () => {
    const text = "[Page 1]\n[Page 2]\n[Page 3]\n\n[Page 2, without text]\n\n[Page 3, without text]";
    const pages = [2, 3].map((page) => ({ page, likelihood: 1, tokens: 9 }));
    const parts = await cutDocument({ name: "a.pdf", kind: "pdf", text, pictures: { fileId: "f", pages } }, 3_000);
    expect(parts.flatMap(({ covers }) => covers.pictures?.pages ?? [])).toEqual([2, 3]);
  });

  it("lets others work between the parts", async () => {
    const text = "word ".repeat(5_000);
    const { length } = await cutDocument({ name: "a.txt", kind: "text", text }, 500);
    const turns = await countTurns(() => cutDocument({ name: "a.txt", kind: "text", text }, 500));
    expect(turns).toBeGreaterThanOrEqual(2 * length - 1);
  });

  it("passes on what the file's reader says of every part", async () => {
    const parts = await cutDocument(
      { name: "a.docx", kind: "docx", text: "word ".repeat(5_000), note: "not here: charts (2)" },
      500,
    );
    expect(parts.length).toBeGreaterThan(1);
    for (const { covers } of parts) expect(covers).toMatchObject({ kind: "docx", note: "not here: charts (2)" });
  });
});

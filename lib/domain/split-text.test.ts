import { describe, expect, it } from "vitest";
import { workMs } from "@/e2e/support/work-time";
import { splitText } from "@/lib/domain/split-text";
import { estimateTokens } from "@/lib/domain/token-estimate";

const pieces = (text: string, maxTokens: number) =>
  Array.from(splitText(text, maxTokens), ({ start, end }) => text.slice(start, end));

const PAGE = "The river rose again in spring. Nobody had seen it so high. ".repeat(8);

describe("splitText", () => {
  it.each([
    ["prose", PAGE.repeat(50)],
    ["marked pages", Array.from({ length: 60 }, (_, i) => `[Page ${i + 1}]\n${PAGE}`).join("\n\n")],
    ["one endless word", "x".repeat(20_000)],
    ["a script without blanks", "日本語の文章です。".repeat(2_000)],
    ["surrogate pairs", "😀".repeat(5_000)],
    ["letters with loose accents", "e\u0301".repeat(8_000)],
    ["line breaks alone", "\n".repeat(3_000)],
  ])("gives all of the text, in order, in parts that fit: %s", (_name, text) => {
    const parts = pieces(text, 500);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join("")).toBe(text);
    for (const part of parts) {
      expect(part).not.toBe("");
      expect(estimateTokens(part)).toBeLessThanOrEqual(500);
      expect(part.isWellFormed()).toBe(true);
      expect(part).not.toMatch(/^\p{M}/u);
    }
  });

  it("cuts before a page rather than inside one", () => {
    const text = Array.from({ length: 60 }, (_, i) => `[Page ${i + 1}]\n${PAGE}`).join("\n\n");
    for (const part of pieces(text, 1_000)) expect(part).toMatch(/^\[Page \d+\]\n/);
  });

  it("cuts at a form feed, a heading, a paragraph, in this order of preference", () => {
    const formFeeds = Array.from({ length: 40 }, () => `${PAGE}\n\n${PAGE}`).join("\f");
    for (const part of pieces(formFeeds, 1_000).slice(0, -1)) expect(part.endsWith("\f")).toBe(true);
    const headings = Array.from({ length: 60 }, (_, i) => `## Chapter ${i}\n\n${PAGE}\n\n`).join("");
    for (const part of pieces(headings, 1_000)) expect(part).toMatch(/^## Chapter/);
    const paragraphs = Array.from({ length: 60 }, () => PAGE).join("\n\n");
    for (const part of pieces(paragraphs, 1_000)) expect(part).toMatch(/^The river/);
  });

  it("never cuts a word that is shorter than a part", () => {
    const words = Array.from({ length: 30_000 }, (_, i) => `word${i}`);
    const seen = pieces(words.join(" "), 700).flatMap((part) => part.split(" ").filter(Boolean));
    expect(seen).toEqual(words);
  });

  describe("with pins", () => {
    const text = Array.from({ length: 60 }, (_, i) => `[Page ${i + 1}]\n${i % 2 === 0 ? "" : PAGE}`).join("\n\n");
    const marks = [...text.matchAll(/^\[Page (\d+)\]$/gm)];
    const pins = marks.filter((_, index) => index % 2 === 0).map(({ index: at }) => ({ at, tokens: 400 }));

    it.each([
      ["by their weight", 1_500, 99],
      ["by their number", 100_000, 4],
      ["by both and the text", 1_000, 2],
    ])("cuts before the page that a part has no more room for, %s", (_name, maxTokens, most) => {
      const stretches = [...splitText(text, maxTokens, { pins, most })];
      expect(stretches.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
      for (const { start, end } of stretches) {
        const inside = pins.filter(({ at }) => at >= start && at < end);
        expect(inside.length).toBeLessThanOrEqual(most);
        expect(estimateTokens(text.slice(start, end)) + 400 * inside.length).toBeLessThanOrEqual(maxTokens);
        expect(text.slice(start)).toMatch(/^\[Page \d+\]\n/);
      }
      if (maxTokens > 10_000) expect(stretches).toHaveLength(8);
    });

    it("passes on one that is heavier than a part", () => {
      const heavy = pins.map(({ at }) => ({ at, tokens: 9_000 }));
      const stretches = [...splitText(text, 500, { pins: heavy, most: 99 })];
      expect(stretches.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
      for (const { start, end } of stretches) {
        expect(heavy.filter(({ at }) => at >= start && at < end).length).toBeLessThanOrEqual(1);
      }
    });
  });

  it.each(["\u0301", "\u200d", "\ufe0f"])("cuts a text of nothing but %j into parts as full as any other", (mark) => {
    // One part for each of them: a long text took hours, in which nobody else was served.
    expect(pieces(mark.repeat(6_000), 500).length).toBeLessThan(20);
    expect(pieces(`a ${mark.repeat(6_000)}b`, 500).length).toBeLessThan(20);
  });

  it("looks once through a long line that begins like the mark of a page", async () => {
    const words = "word ".repeat(30_000);
    const text = `${words}\n[Page ${"1".repeat(80_000)}\n${words}`;
    // Work that grows with the square of its length took half a minute for 150,000 digits, in which nobody else was served.
    expect(await workMs(() => expect(pieces(text, 70_000).length).toBeLessThan(4))).toBeLessThan(1_000);
  });

  it("passes on a character that is dearer than the limit", () => {
    expect(pieces("日本", 0.1)).toEqual(["日", "本"]);
    expect(pieces("", 10)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { cleanText, DeltaCleaner } from "@/lib/domain/chunk-text";

function joined(deltas: string[]): string {
  const cleaner = new DeltaCleaner();
  return deltas.map((delta) => cleaner.push(delta)).join("") + cleaner.end();
}

describe("DeltaCleaner", () => {
  it("joins to the same text wherever the model cuts it", () => {
    const text = "a😀b👨‍👩‍👧c";
    for (let cut = 0; cut <= text.length; cut++) expect(joined([text.slice(0, cut), text.slice(cut)])).toBe(text);
    expect(joined([...Array(text.length)].map((_, index) => text.charAt(index)))).toBe(text);
  });

  it("never hands out half a pair", () => {
    const cleaner = new DeltaCleaner();
    expect(cleaner.push("x\uD83D")).toBe("x");
    expect(cleaner.push("\uDE00y")).toBe("😀y");
  });

  it("drops NUL and replaces what cannot be mended", () => {
    expect(joined(["a\u0000b", "\uD83D"])).toBe("ab\uFFFD");
    const cleaner = new DeltaCleaner();
    cleaner.push("\uD83D");
    expect([cleaner.end(), cleaner.end()]).toEqual(["\uFFFD", ""]);
    expect(cleanText("\uDE00")).toBe("\uFFFD");
  });
});

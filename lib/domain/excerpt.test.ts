import { describe, expect, it } from "vitest";
import { excerptOf } from "@/lib/domain/excerpt";

const marked = (text: string, words: string[], isCut = false) =>
  excerptOf(text, words, isCut)
    .map((part) => (part.isFound ? `[${part.text}]` : part.text))
    .join("");

describe("excerptOf", () => {
  it("tells apart what was searched for, whatever its case", () => {
    expect(marked("The INVOICE and the invoice of Ärger", ["invoice", "ärger"])).toBe(
      "The [INVOICE] and the [invoice] of [Ärger]",
    );
  });

  it("is one line", () => expect(marked("a\n\n b\tnet\n30 c", ["net\n30"])).toBe("a b [net 30] c"));

  it("begins with a whole word, and says that there is more before", () => {
    expect(marked("rd of the invoice", ["invoice"], true)).toBe("…of the [invoice]");
    expect(marked("invoice of May", ["invoice"], true)).toBe("…[invoice] of May");
  });

  it("ends with a whole word, and says that there is more", () => {
    expect(marked(`net ${"word ".repeat(80)}`, ["net"])).toMatch(/^\[net\] (word ){30,50}word…$/);
  });

  it("goes on behind what was searched for where nobody writes spaces between words", () => {
    const text = `发票${"的金额是否正确以及".repeat(30)}`;
    expect(marked(text, ["发票"])).toMatch(/^\[发票\]的金额.{120,190}…$/);
    expect(marked(`net ${"😀".repeat(200)}`, ["net"]).isWellFormed()).toBe(true);
  });

  it("cuts nothing of what was searched for", () => {
    const long = "x".repeat(250);
    expect(marked(`a ${long} b`, [long])).toBe(`a [${long}]…`);
  });

  it("takes signs of patterns for what they are", () => {
    expect(marked("1+1 (net) [a-b] 5/6 50% $x ^", ["1+1", "(net)", "[a-b]", "5/6", "50%", "$x", "^"])).toBe(
      "[1+1] [(net)] [[a-b]] [5/6] [50%] [$x] [^]",
    );
  });
});

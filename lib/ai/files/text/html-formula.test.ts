import { describe, expect, it } from "vitest";
import { htmlToText } from "@/lib/ai/files/text/html-to-text";

const math = (content: string, attributes = "") => `<p>With <math${attributes}>${content}</math>.</p>`;
const power = "<msup><mi>x</mi><mn>2</mn></msup>";

describe("a formula in a page", () => {
  it.each([
    [
      "as the TeX that it carries",
      `<semantics>${power}<annotation encoding="application/x-tex">x^2 &lt; 3</annotation></semantics>`,
      "x^2 < 3",
    ],
    [
      "with its powers and indices",
      `<mrow>${power}<mo>+</mo><msub><mi>y</mi><mrow><mi>i</mi><mo>-</mo><mn>1</mn></mrow></msub></mrow>`,
      "x^2+y_(i-1)",
    ],
    [
      "with its fractions and roots",
      `<mfrac><mrow><mn>1</mn><mo>+</mo><msqrt><mn>5</mn></msqrt></mrow><mn>2</mn></mfrac>`,
      "(1+√(5))/2",
    ],
    [
      "with its sums",
      "<munderover><mo>∑</mo><mrow><mi>n</mi><mo>=</mo><mn>1</mn></mrow><mi>N</mi></munderover><mi>n</mi>",
      "∑_(n=1)^N n",
    ],
    [
      "with its matrices",
      "<mtable><mtr><mtd>1</mtd><mtd>0</mtd></mtr><mtr><mtd>0</mtd><mtd>1</mtd></mtr></mtable>",
      "[1, 0; 0, 1]",
    ],
    ["with names of functions apart", "<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>", "sin x"],
    ["without what holds a place", `<mi>a</mi><mspace width="1em"/><mphantom><mi>b</mi></mphantom><mi>c</mi>`, "ac"],
    ["that is broken, as far as it goes", `<msup><mi>x<mn>2</msup></mfrac>`, "2^"],
    [
      "with an end that nothing began",
      "<mfrac><mi>a</mi></mrow><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>",
      "a/(b+1)",
    ],
    ["with the degree of a root before it", "<mroot><mi>x</mi><mn>3</mn></mroot>", "3√(x)"],
    [
      "as it stands where it carries but another program's words",
      `<semantics>${power}<annotation encoding="StarMath 5.0">x^2 size 12</annotation></semantics>`,
      "x^2",
    ],
    ["that is a word", "x", "x"],
    [
      "with elements that are none, whatever their names",
      "<mfrac><constructor><mi>a</mi></constructor><__proto__><mi>b</mi></__proto__></mfrac>",
      "a/b",
    ],
  ])("is read on one line, %s", async (_how, content, text) =>
    expect(await htmlToText(math(content))).toBe(`With ${text}.`),
  );

  it("is read as what is said in its place", async () => {
    expect(await htmlToText(math(power, ' alttext="{\\displaystyle x^{2}}"'))).toBe("With x^{2}.");
  });

  it("is read once where a picture says the same", async () => {
    const page = `<span><span>${math(power).slice(8, -5)}</span><img class="mwe-math-fallback-image-inline" alt="x^{2}"></span>`;
    expect(await htmlToText(page)).toBe("[x^{2}]");
  });

  it("is left out where it is too long to be one", async () => {
    expect(await htmlToText(math("<mi>x</mi>".repeat(6_000)))).toBe("With .");
  });

  it("holds nobody up, however large it is or how deep", async () => {
    for (const piece of ["<msup>", "<mi>x</mi>", "<annotation x-tex", "&"]) {
      expect(await htmlToText(math(piece.repeat(200_000)))).toMatch(/^With/);
    }
  });
});

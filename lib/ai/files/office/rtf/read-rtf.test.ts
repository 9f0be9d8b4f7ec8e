import { describe, expect, it } from "vitest";
import { readOffice } from "@/lib/ai/files/office/read-office";

const LIMITS = { maxCharacters: 100_000 };

async function read(body: string, head = "\\ansi\\ansicpg1252") {
  const { kind, sections, skipped } = await readOffice(Buffer.from(`{\\rtf1${head} ${body}}`, "latin1"), LIMITS);
  return { kind, skipped, text: sections.map(({ text }) => text).join("\n") };
}

describe("a rich text", () => {
  it("is read by its structure: headings, lists with the marks that stand in it, tables", async () => {
    const { kind, text } = await read(
      [
        "{\\stylesheet{\\s1 heading 1;}}{\\info{\\author Ada}}",
        "\\pard\\outlinelevel0 Findings\\par",
        "\\pard Blood\\tab normal{\\*\\unknown hidden}\\line next line\\par",
        "\\pard\\ls1\\ilvl0{\\listtext\\pard 1.\\tab}rest\\par",
        "\\pard\\ls1\\ilvl1{\\listtext\\pard\\'b7\\tab}\\ilvl1 tea\\par",
        "\\trowd\\pard\\intbl Value\\cell Unit\\cell\\row",
        "\\trowd\\pard\\intbl 7\\cell\\cell\\row",
        "\\pard End",
      ].join("\r\n"),
    );
    expect(kind).toBe("rtf");
    expect(text).toBe(
      [
        "# Findings",
        "Blood\tnormal\nnext line",
        "1. rest\n  - tea",
        "| Value | Unit |\n| --- | --- |\n| 7 |  |",
        "End",
      ].join("\n\n"),
    );
  });

  it("says of hidden text that nobody sees it", async () => {
    expect((await read("Seen {\\v not \\b at all}\\plain  too")).text).toBe("Seen [Not shown: not at all] too");
  });

  it.each([
    ["of its code page", "Za\\'bf\\'f3\\'b3\\'e6", "\\ansi\\ansicpg1250", "Zażółć"],
    ["of a font's", "{\\fonttbl{\\f1\\fcharset204 Arial;}}\\f1 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2", "\\ansi", "Привет"],
    [
      "of two bytes",
      "{\\fonttbl{\\f1\\fcharset128 MS Gothic;}}\\f1 \\'83\\'65\\'83\\'58\\'83\\'67",
      "\\ansi",
      "テスト",
    ],
    [
      "in Unicode, without those that stand for them",
      "\\u1055?\\u1072?{\\uc0\\u8364}5 \\u-10187?\\u-8996?",
      "\\ansi",
      "Па€5 𝓜",
    ],
    ["of a font of symbols", "{\\fonttbl{\\f3\\fcharset2 Wingdings;}}{\\f3\\'fe} yes", "\\ansi", "☑ yes"],
    ["that are signs by name", "\\ldblquote a\\rdblquote\\~\\emdash\\{\\}\\\\", "\\ansi", "“a”\u00a0—{}\\"],
  ])("has letters %s", async (_what, body, head, shown) => {
    expect(await read(body, head)).toMatchObject({ text: shown });
  });

  it("has notes, comments and headers under headings of their own, and says who wrote them", async () => {
    const { text } = await read(
      "{\\header Letterhead\\par}One{\\footnote {\\super\\chftn} Below\\par again} two" +
        "{\\*\\atnid A}{\\*\\atnauthor Ada}{\\*\\annotation{\\*\\atndate 1}Sure?}.\\par",
    );
    expect(text).toBe(
      [
        "One[^1] two[^c1].",
        "## [Footnotes]",
        "[^1]: Below again",
        "## [Comments]",
        "[^c1]: Ada: Sure?",
        "## [Headers and footers]",
        "Letterhead",
      ].join("\n\n"),
    );
  });

  it("is without what was taken out of it and without its pictures, which are counted", async () => {
    const { text, skipped } = await read(
      "Pay {\\deleted 10 }20 {\\strike m2} 10{\\super 6}{\\*\\shppict{\\pict\\pngblip 89504e47}}{\\nonshppict{\\pict 00}}" +
        '{\\field{\\*\\fldinst HYPERLINK "https://a.example"}{\\fldrslt  here}}\\par{\\pict\\bin4 }}}}}.',
    );
    expect({ text, skipped }).toEqual({ text: "Pay 20 ~~m2~~ 10⁶ here\n\n.", skipped: { pictures: 2 } });
  });

  it("that is broken off, closed too often or nested without end is read as far as it goes", async () => {
    const whole = Buffer.from("{\\rtf1 {\\b Word}\\par } behind}}");
    const broken = Buffer.from(`{\\rtf1 ${"{".repeat(200_000)}deep\\par shown\\`);
    const texts = await Promise.all([whole, broken].map((bytes) => readOffice(bytes, LIMITS)));
    expect(texts.map(({ sections }) => sections[0]?.text)).toEqual(["Word", "deep\n\nshown"]);
  });

  it("with a note where its groups nest too deep is read, with what stands behind it", async () => {
    const note = `${"{".repeat(998)}{\\footnote a {b} c}${"}".repeat(998)}`;
    const { sections } = await readOffice(Buffer.from(`{\\rtf1 Before${note} behind.\\par }`), LIMITS);
    expect(sections[0]?.text).toMatch(/^Before\[\^1\] behind\.[\s\S]*\[\^1\]: a b c$/);
  });
});

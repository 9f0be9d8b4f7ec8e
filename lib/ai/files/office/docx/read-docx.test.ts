import { describe, expect, it } from "vitest";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import { readOffice } from "@/lib/ai/files/office/read-office";
import {
  docxEntries,
  numberingParts,
  relations,
  richDocx,
  sampleDocx,
  wordParagraph,
} from "@/lib/ai/files/samples/sample-office";
import { buildZip } from "@/lib/ai/files/samples/sample-zip";

const LIMITS = { maxCharacters: 100_000 };

const textOf = ({ sections }: OfficeText) => sections.map(({ text }) => text).join("\n");

describe("a DOCX", () => {
  it("is read by its structure: title, headings, lists, tables, notes", async () => {
    const document = await readOffice(richDocx(), LIMITS);
    expect(document).toMatchObject({ kind: "docx", sectionCount: 1, isCut: false, skipped: { pictures: 1 } });
    expect(textOf(document)).toBe(
      [
        "# Report",
        "## Costs & more",
        "First\tline\nnext[^1]",
        "- one\n  - one deep\n1. step\n2. step",
        "new",
        "| Name | Sum |  |\n| --- | --- | --- |\n| A\\|B second | x / y | 12 |",
        "The end.",
        "## [Diagrams]",
        "Plan",
        "Do",
        "## [Footnotes]",
        "[^1]: A note.",
      ].join("\n\n"),
    );
  });

  it("is read as it is today where changes are tracked, and without how words are pronounced", async () => {
    const was = '<w:outlineLvl w:val="0"/><w:pPrChange><w:pPr><w:outlineLvl w:val="3"/></w:pPr></w:pPrChange>';
    const ruby =
      "<w:p><w:ruby><w:rt><w:r><w:t>kana</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>kanji</w:t></w:r></w:rubyBase></w:ruby></w:p>";
    const document = await readOffice(buildZip(docxEntries(wordParagraph("Chapter", was) + ruby)), LIMITS);
    expect(textOf(document)).toBe("# Chapter\n\nkanji");
  });

  it("joins paragraphs between which the end was deleted, and no further than the cell that they stand in", async () => {
    const gone = '<w:rPr><w:del w:id="1"/></w:rPr>';
    const cell = (content: string) => `<w:tc>${content}</w:tc>`;
    const table = `<w:tbl><w:tr>${cell(wordParagraph("a ", gone) + wordParagraph("b"))}${cell(wordParagraph("c", gone))}</w:tr></w:tbl>`;
    const body =
      wordParagraph("First half, ", gone) + wordParagraph("second half.") + table + wordParagraph("End", gone);
    expect(textOf(await readOffice(buildZip(docxEntries(body)), LIMITS))).toBe(
      "First half, second half.\n\n| a b | c |\n| --- | --- |\n\nEnd",
    );
  });

  it("says of hidden text that nobody sees it", async () => {
    const run = (text: string, look = "") => `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const hidden = "<w:vanish/>";
    const runs = [run("Seen "), run("not ", hidden), run("at all", hidden), run(" too", '<w:vanish w:val="0"/>')];
    expect(textOf(await readOffice(buildZip(docxEntries(`<w:p>${runs.join("")}</w:p>`)), LIMITS))).toBe(
      "Seen [Not shown: not at all] too",
    );
  });

  it("keeps each value in its column in rows that begin further right", async () => {
    const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;
    const before = '<w:gridBefore w:val="1"/>';
    const was = `<w:trPrChange><w:trPr>${before}</w:trPr></w:trPrChange>`;
    const late = `<w:tr><w:trPr>${before}${was}</w:trPr>${cell("2")}</w:tr>`;
    const table = `<w:tbl><w:tr>${cell("A")}${cell("B")}</w:tr>${late}</w:tbl>`;
    expect(textOf(await readOffice(buildZip(docxEntries(table)), LIMITS))).toBe("| A | B |\n| --- | --- |\n|  | 2 |");
  });

  it("has the numbers that Word counts: of headings, of lists that begin late, anew or count on", async () => {
    const level = (number: number, format: string, text: string, start = 1) =>
      `<w:lvl w:ilvl="${number}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
    const outline = [level(0, "decimal", "§ %1"), level(1, "decimal", "%1.%2"), level(2, "lowerLetter", "(%3)")];
    const list = [level(0, "upperRoman", "%1.", 4), level(1, "bullet", "•")];
    const numbering = `<w:abstractNum w:abstractNumId="1">${outline.join("")}</w:abstractNum><w:abstractNum w:abstractNumId="2">${list.join("")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="4"><w:abstractNumId w:val="2"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`;
    const at = (id: number, ilvl: number, more = "") =>
      `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${id}"/></w:numPr>${more}`;
    const heading = '<w:outlineLvl w:val="0"/>';
    const body = [
      ["Scope", at(1, 0, heading)],
      ["Terms", at(1, 0, heading)],
      ["Price", at(1, 1)],
      ["net", at(1, 2)],
      ["gross", at(1, 2)],
      ["Time", at(1, 1)],
      ["four", at(2, 0)],
      ["five", at(3, 0)],
      ["one", at(4, 0)],
      ["two", at(4, 0)],
      ["dot", at(4, 1)],
    ].map(([text = "", properties = ""]) => wordParagraph(text, properties));
    const bytes = buildZip(docxEntries(body.join(""), numberingParts(numbering)));
    expect(textOf(await readOffice(bytes, LIMITS))).toBe(
      [
        "# § 1 Scope",
        "# § 2 Terms",
        "  2.1 Price\n    (a) net\n    (b) gross\n  2.2 Time\nIV. four\nV. five\nI. one\nII. two\n  - dot",
      ].join("\n\n"),
    );
  });

  it("has the numbers of rows and clauses in tables, and counts paragraphs without text", async () => {
    const numbered = (text: string) => wordParagraph(text, '<w:numPr><w:numId w:val="1"/></w:numPr>');
    const cells = (...contents: string[]) => contents.map((content) => `<w:tc>${content}</w:tc>`).join("");
    const inner = `<w:tbl><w:tr>${cells(wordParagraph("a"), wordParagraph(""), wordParagraph("1,50"))}</w:tr></w:tbl>`;
    const rows = [
      cells(numbered(""), wordParagraph("Bolts")),
      `<w:trPr><w:del w:id="1"/></w:trPr>${cells(wordParagraph(""), wordParagraph(""))}`,
      cells(numbered("Nuts"), inner),
    ];
    const gone = wordParagraph("", '<w:numPr><w:numId w:val="1"/></w:numPr><w:rPr><w:del/></w:rPr>');
    const body = `<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join("")}</w:tbl>${gone}${numbered("")}${numbered("last")}`;
    const numbering = `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`;
    const bytes = buildZip(docxEntries(body, numberingParts(numbering)));
    expect(textOf(await readOffice(bytes, LIMITS))).toBe(
      "| 1. | Bolts |\n| --- | --- |\n| 2. Nuts | a / / 1,50 |\n\n3.\n4. last",
    );
  });

  it("has the numbers of a style's list, of levels that count on, are legal, or are a list's own", async () => {
    const level = (number: number, format: string, text: string, more = "") =>
      `<w:lvl w:ilvl="${number}"><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
    const kind = (id: number, content: string) => `<w:abstractNum w:abstractNumId="${id}">${content}</w:abstractNum>`;
    const list = (id: number, of: number, more = "") =>
      `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`;
    const levels = [
      level(0, "upperRoman", "Article %1"),
      level(1, "decimal", "§ %2", '<w:lvlRestart w:val="0"/>'),
      level(2, "decimal", "%1.%2.%3", "<w:isLgl/>"),
    ].join("");
    const own = `<w:lvlOverride w:ilvl="0">${level(0, "russianLower", "%1)")}</w:lvlOverride>`;
    const numbering = [
      kind(1, '<w:numStyleLink w:val="Legal"/>'),
      kind(2, `<w:styleLink w:val="Legal"/>${levels}`),
      kind(3, level(0, "decimal", "%1.")),
      list(1, 1),
      list(2, 2),
      list(3, 3, own),
    ].join("");
    const body = [
      [1, 0],
      [1, 1],
      [2, 1],
      [1, 0],
      [1, 1],
      [1, 2],
      [3, 0],
      [3, 0],
    ].map(([id, ilvl]) => wordParagraph("x", `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${id}"/></w:numPr>`));
    const bytes = buildZip(docxEntries(body.join(""), numberingParts(numbering)));
    expect(textOf(await readOffice(bytes, LIMITS)).split(/\n */)).toEqual(
      ["Article I", "§ 1", "§ 2", "Article II", "§ 3", "2.3.1", "а)", "б)"].map((number) => `${number} x`),
    );
  });

  it("shows the boxes and lists of old forms, raised digits, what is struck out, and whose comment is where", async () => {
    const field = (definition: string) =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="F"/>${definition}</w:ffData></w:fldChar><w:instrText>FORM</w:instrText></w:r>`;
    const run = (text: string, look = "") => `<w:r><w:rPr>${look}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const raised = '<w:vertAlign w:val="superscript"/>';
    const body = [
      field('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>') + run(" paid "),
      field('<w:checkBox><w:default w:val="0"/></w:checkBox>') + run(" open "),
      field('<w:ddList><w:result w:val="1"/><w:listEntry w:val="Rome"/><w:listEntry w:val="Oslo"/></w:ddList>'),
      run(" 19") + run("99", raised) + run(" € on the 1") + run("st", raised) + run(" "),
      run("not", "<w:strike/>") + run(" all", "<w:dstrike/>") + run(" now", '<w:strike w:val="0"/>'),
      '<w:r><w:commentReference w:id="4"/><w:ptab/><w:pict><v:textpath xmlns:v="v" string="DRAFT"/></w:pict></w:r>',
    ].join("");
    const parts = {
      "word/_rels/document.xml.rels": relations({ rId1: ["comments", "comments.xml"] }),
      "word/comments.xml": `<w:comments xmlns:w="w"><w:comment w:id="4" w:author="Ada">${wordParagraph("Why?")}</w:comment></w:comments>`,
    };
    expect(textOf(await readOffice(buildZip(docxEntries(`<w:p>${body}</w:p>`, parts)), LIMITS))).toBe(
      "☒ paid ☐ open Oslo 19⁹⁹ € on the 1st ~~not all~~ now[^c1]\tDRAFT\n\n## [Comments]\n\n[^c1]: Ada: Why?",
    );
  });

  it("writes formulas on one line, as what they say", async () => {
    const letters = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
    const element = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`;
    const fraction = element("f", element("num", letters("a+b")) + element("den", letters("2")));
    const power = element(
      "sSup",
      element("e", element("d", element("e", letters("1+p")))) + element("sup", letters("n+1")),
    );
    const root = element("rad", element("deg", letters("3")) + element("e", letters("x")));
    const sum = element(
      "nary",
      '<m:naryPr><m:chr m:val="∑"/></m:naryPr>' +
        element("sub", letters("i=1")) +
        element("sup", letters("n")) +
        element("e", element("sSub", element("e", letters("P")) + element("sub", letters("i")))),
    );
    const formula = `<m:oMath xmlns:m="m">${letters("P=")}${fraction}${power}${letters("+")}${root}${letters("-")}${sum}</m:oMath>`;
    const bytes = buildZip(docxEntries(`<w:p><w:r><w:t>So </w:t></w:r>${formula}<w:r><w:t>.</w:t></w:r></w:p>`));
    expect(textOf(await readOffice(bytes, LIMITS))).toBe("So P=(a+b)/2(1+p)^(n+1)+3√(x)-∑_(i=1)^n P_i.");
  });

  it("shows what stands in it as symbols: which box is ticked, and signs of mathematics", async () => {
    const symbol = (font: string, code: string) => `<w:sym w:font="${font}" w:char="${code}"/>`;
    const run = `${symbol("Wingdings", "F0FE")}<w:t> yes </w:t>${symbol("Wingdings", "F0A8")}<w:t> no </w:t>${symbol("MS Gothic", "2612")}<w:t> x </w:t>${symbol("Symbol", "F0A3")}<w:t> 5</w:t>${symbol("Webdings", "F0FF")}`;
    const document = await readOffice(buildZip(docxEntries(`<w:p><w:r>${run}</w:r></w:p>`)), LIMITS);
    expect(textOf(document)).toBe("☑ yes ☐ no ☒ x ≤ 5");
  });

  it.each([
    ["a line's end", "\r\n"],
    ["more zeros than an archive may have of words", "\0".repeat(70_000)],
  ])("is read with %s behind it", async (_name, tail) => {
    const document = await readOffice(Buffer.concat([sampleDocx("Read."), Buffer.from(tail)]), LIMITS);
    expect(textOf(document)).toBe("Read.");
  });

  it("has the bars of a table in a table marked once", async () => {
    const table = (content: string) => `<w:tbl><w:tr><w:tc>${content}</w:tc><w:tc/></w:tr></w:tbl>`;
    const document = await readOffice(buildZip(docxEntries(table(table(table(wordParagraph("a|b")))))), LIMITS);
    expect(textOf(document)).toBe("| a\\|b / /  |  |\n| --- | --- |");
  });

  it("stops at the limit of characters, and says so", async () => {
    const paragraphs = Array.from({ length: 1_000 }, (_, index) => `Paragraph ${index}`);
    const document = await readOffice(sampleDocx(...paragraphs), { maxCharacters: 100 });
    expect(document.isCut).toBe(true);
    expect(textOf(document).length).toBeLessThanOrEqual(100);
    expect(textOf(document)).toMatch(/^Paragraph 0\n\nParagraph 1\n/);
  });
});

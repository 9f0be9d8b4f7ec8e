import { describe, expect, it } from "vitest";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { HOSTILE_DOCUMENTS } from "@/lib/ai/files/samples/sample-hostile-office";
import {
  docxEntries,
  numberingParts,
  relations,
  richDocx,
  sampleDocx,
  samplePptx,
  sampleXlsx,
  slideShape,
  wordParagraph,
  xlsxEntries,
} from "@/lib/ai/files/samples/sample-office";
import { sampleOdp, sampleOdt } from "@/lib/ai/files/samples/sample-open-document";
import { buildZip } from "@/lib/ai/files/samples/sample-zip";

const LIMITS = { maxCharacters: 100_000 };
const MEGABYTE = 1024 * 1024;

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

  it("stops at the limit of characters, and says so", async () => {
    const paragraphs = Array.from({ length: 1_000 }, (_, index) => `Paragraph ${index}`);
    const document = await readOffice(sampleDocx(...paragraphs), { maxCharacters: 100 });
    expect(document.isCut).toBe(true);
    expect(textOf(document).length).toBeLessThanOrEqual(100);
    expect(textOf(document)).toMatch(/^Paragraph 0\n\nParagraph 1\n/);
  });
});

describe("an XLSX", () => {
  it("is read sheet by sheet as CSV, with values as people see them", async () => {
    const cell = (at: string, more: string, value: string) => `<c r="${at}"${more}><v>${value}</v></c>`;
    const first = [
      `<row r="1">${cell("A1", ' t="s"', "0")}${cell("C1", ' t="s"', "1")}</row>`,
      `<row r="5">${cell("A5", "", "0.30000000000000004")}${cell("B5", ' t="b"', "1")}${cell("C5", ' s="1"', "45658")}${cell("D5", ' s="2"', "45658.75")}</row>`,
      '<row r="6"><c r="A6" t="inlineStr"><is><t>in, line</t><rPh><t>phonetic</t></rPh></is></c><c r="B6" t="str"><f>A1&amp;"x"</f><v>made</v></c><c r="C6" t="e"><v>#DIV/0!</v></c></row>',
    ].join("");
    const document = await readOffice(
      sampleXlsx({ "Q1 &amp; Q2": first, "Hidden one": `<row r="1">${cell("A1", "", "7")}</row>`, Empty: "" }, [
        "<t>Na</t><rPh><t>phonetic</t></rPh>",
        '<r><t>"Amo</t></r><r><t>unt"</t></r>',
      ]),
      LIMITS,
    );
    expect(document).toMatchObject({ kind: "xlsx", sectionCount: 3 });
    expect(document.sections).toEqual([
      {
        title: "Q1 & Q2",
        text: 'Na,,"""Amount"""\n0.3,TRUE,2025-01-01,2025-01-01 18:00:00\n"in, line",made,#DIV/0!',
      },
      { title: "Hidden one (hidden)", text: "7" },
      { title: "Empty", text: "" },
    ]);
  });

  it("says which rows and columns nobody sees", async () => {
    const rows =
      '<cols><col min="1" max="1"/><col min="2" max="2" hidden="1"/><col min="27" max="28" hidden="true"/></cols><row><c><v>1</v></c><c><v>2</v></c></row><row hidden="1"><c><v>3</v></c></row><row hidden="0"><c><v>4</v></c></row>';
    expect(textOf(await readOffice(sampleXlsx({ A: rows }), LIMITS))).toBe(
      "1,2\n3,[hidden row]\n4\n\n[Hidden columns]\nB\nAA-AB",
    );
  });

  it("keeps each value in its column where cells do not say where they stand", async () => {
    const rows = "<row><c><v>1</v></c><c/><c><v>3</v></c></row><row><c/><c><v>2</v></c></row>";
    expect(textOf(await readOffice(sampleXlsx({ A: rows }), LIMITS))).toBe("1,,3\n,2");
  });

  it("shows a formula that was never calculated, and nothing for one whose value is an empty text", async () => {
    const rows =
      '<row><c r="A1"><f>SUM(B1:B9)</f><v/></c><c r="B1" t="str"><f>IF(1,"")</f><v></v></c><c r="C1"><f>1+1</f><v>2</v></c></row>';
    expect(textOf(await readOffice(sampleXlsx({ A: rows }), LIMITS))).toBe("=SUM(B1:B9),,2");
  });

  it("shows hours that were counted up as hours, and dates of East Asian formats as dates", async () => {
    const cells = ["1.5", "-0.0625", "0"].map((value) => `<c s="3"><v>${value}</v></c>`).join("");
    const rows = `<row>${cells}<c s="4"><v>45658</v></c></row>`;
    expect(textOf(await readOffice(sampleXlsx({ A: rows }), LIMITS))).toBe("36:00:00,-1:30:00,0:00:00,2025-01-01");
  });

  it("shows dates and times of workbooks that count from 1904", async () => {
    const rows = `<row>${["44196", "0.75"].map((value) => `<c s="2"><v>${value}</v></c>`).join("")}</row>`;
    expect(textOf(await readOffice(sampleXlsx({ A: rows }, [], true), LIMITS))).toBe("2025-01-01,18:00:00");
  });

  it("shows percentages as such, and small and large numbers with all their digits", async () => {
    const rows = `<row>${["0.15", "0.07", "-1.005", "0"].map((value) => `<c s="5"><v>${value}</v></c>`).join("")}</row>`;
    expect(textOf(await readOffice(sampleXlsx({ A: rows }), LIMITS))).toBe("15%,7%,-100.5%,0%");
    const small = "<row><c><v>1E-3</v></c><c><v>-2.5E-2</v></c><c><v>1.2E+20</v></c></row>";
    expect(textOf(await readOffice(sampleXlsx({ A: small }), LIMITS))).toBe("0.001,-0.025,120000000000000000000");
  });

  it("shows amounts of money with their currency, other numbers without their unit, millions as such, and zeros in front", async () => {
    const cell = (style: number, value: string) => `<c s="${style}"><v>${value}</v></c>`;
    const cells = [6, 7, 8, 9, 10, 11].map((style) => cell(style, "-1234500")).join("");
    const rows = `<row>${cells}</row><row>${["17", "1234567", "1.5"].map((value) => cell(12, value)).join("")}</row>`;
    expect(textOf(await readOffice(sampleXlsx({ A: rows }), LIMITS))).toBe(
      "-1234500 €,-$1234500,-1234500 zł,-CHF1234500,-1234500,-1.2345 Mio €\nRE-00-017,RE-1234-567,1.5",
    );
  });

  it("shows comments in their cells, boxes on top of them, headers, and what is raised or struck out", async () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="13"><v>7</v></c></row><row r="3"><c r="A3"><v>5</v></c><c r="B3"/></row>';
    const strings = [
      '<r><t>19</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>99</t></r><r><rPr><strike/></rPr><t> was</t></r><r><t> is</t></r>',
    ];
    const shape = (id: number, row: number, text: string) =>
      `<x:twoCellAnchor><x:from><x:col>27</x:col><x:row>${row}</x:row></x:from><x:sp><x:cNvPr id="${id}"/><x:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></x:txBody></x:sp></x:twoCellAnchor>`;
    const bytes = buildZip(
      xlsxEntries({ A: rows }, strings, false, {
        further:
          '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Ada &amp;&amp; Co&amp;RPage &amp;P</oddHeader></headerFooter><controls><control shapeId="9" r:id="rId4"/></controls>',
        "xl/persons/person.xml": '<personList><person displayName="Ada" id="{1}"/></personList>',
        "xl/worksheets/_rels/sheet1.xml.rels": relations({
          rId1: ["comments", "../comments1.xml"],
          rId2: ["threadedComment", "../threadedComments/threadedComment1.xml"],
          rId3: ["drawing", "../drawings/drawing1.xml"],
          rId4: ["ctrlProp", "../ctrlProps/ctrlProp1.xml"],
        }),
        "xl/comments1.xml":
          '<comments><authors><author>Ben</author></authors><commentList><comment ref="A3" authorId="0"><text><r><t>net, </t></r><r><t>of May</t></r></text><commentPr><anchor><from><col>2</col></from></anchor></commentPr></comment><comment ref="B3" authorId="0"><text><t>[Threaded comment]</t></text></comment><comment ref="D9" authorId="0"><text><t>Alone</t></text></comment></commentList></comments>',
        "xl/threadedComments/threadedComment1.xml":
          '<ThreadedComments><threadedComment ref="B3" personId="{1}"><text>Why empty?</text></threadedComment><threadedComment ref="B3" personId="{2}"><text>Later</text></threadedComment></ThreadedComments>',
        "xl/drawings/drawing1.xml": `<x:wsDr xmlns:x="x" xmlns:a="a">${shape(4, 1, "See terms")}${shape(9, 2, "express")}</x:wsDr>`,
        "xl/ctrlProps/ctrlProp1.xml": '<formControlPr objectType="CheckBox" checked="Checked"/>',
      }),
    );
    expect(textOf(await readOffice(bytes, LIMITS))).toBe(
      [
        "19⁹⁹~~ was~~ is,~~7~~",
        '"5 [Comment: Ben: net, of May]",[Comment: Ada: Why empty?; Later]',
        "\n[Comments]\nD9: Ben: Alone",
        "\n[Boxes]\nAB2: See terms\nAB3: ☒ express",
        "\n[Header and footer]\nAda & Co",
      ].join("\n"),
    );
  });

  it("is read without what is damaged beside its cells: comments, boxes, links", async () => {
    const read = (parts: Record<string, string>) =>
      readOffice(buildZip(xlsxEntries({ A: "<row><c><v>7</v></c></row>" }, [], false, parts)), LIMITS).then(textOf);
    const links = "xl/worksheets/_rels/sheet1.xml.rels";
    expect(
      await read({
        [links]: relations({
          rId1: ["comments", "../comments1.xml"],
          rId2: ["drawing", "../drawings/drawing1.xml"],
        }),
        "xl/comments1.xml": "<comments><authors><author>Ben & Co</author>",
        "xl/drawings/drawing1.xml": "<wsDr><sp>",
      }),
    ).toBe("7");
    expect(await read({ [links]: '<Relationships><Relationship Id="1" Target="http://x?a=1&b=2"/>' })).toBe("7");
  });

  it("reads the characters that stand as escapes in it", async () => {
    const strings = ["<t>one_x000D_\ntwo_x0007_ _x005F_x000D_ _xD800_</t>"];
    const rows = '<row><c t="s"><v>0</v></c></row>';
    expect(textOf(await readOffice(sampleXlsx({ A: rows }, strings), LIMITS))).toBe('"one\ntwo _x000D_ \uFFFD"');
  });
});

describe("a PPTX", () => {
  it("is read slide by slide in the order of the show, with notes", async () => {
    const table =
      "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>A</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>B</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>";
    const document = await readOffice(
      samplePptx([
        { shapes: slideShape("", "Last &amp; least") + table },
        {
          shapes: `${slideShape("title", "Welcome")}${slideShape("body", "one", "two")}${slideShape("ftr", "Footer")}<p:pic/>`,
          diagram: ["Plan", "Do"],
          notes: "Say hello",
        },
      ]),
      LIMITS,
    );
    expect(document).toMatchObject({ kind: "pptx", sectionCount: 2, skipped: { pictures: 1 } });
    expect(document.sections.map(({ text }) => text)).toEqual([
      "# Welcome\n\n- one\n- two\n\nPlan\n\nDo\n\n[Notes]\nSay hello",
      "Last & least\n\n| A | B |\n| --- | --- |",
    ]);
  });

  it("has the values of its charts, as the chart shows them; one without any is not there", async () => {
    const cache = (name: string, values: string[], code = "") =>
      `<c:${name}><c:numRef><c:numCache>${code && `<c:formatCode>${code}</c:formatCode>`}${values.map((value, index) => (value === "" ? "" : `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`)).join("")}</c:numCache></c:numRef></c:${name}>`;
    const title = (text: string) =>
      `<c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title>`;
    const series = [
      `<c:ser>${cache("tx", ["Net"])}${cache("cat", ["45658", "45689", "45717"], "yyyy\\-mm")}${cache("val", ["1", "", "0.30000000000000004"])}</c:ser>`,
      `<c:ser>${cache("tx", ["Share"])}${cache("val", ["0.15", "0.2"], "0%")}</c:ser>`,
    ];
    const chart = `<c:chart>${title("Sales")}<c:plotArea><c:barChart>${series.join("")}</c:barChart><c:valAx>${title("in Mio")}</c:valAx></c:plotArea></c:chart>`;
    const frame = "<p:graphicFrame><c:chart/></p:graphicFrame>";
    const document = await readOffice(samplePptx([{ shapes: frame }, { shapes: frame, chart }]), LIMITS);
    expect(document.skipped).toMatchObject({ charts: 1 });
    expect(document.sections[0]?.text).toBe(
      "[Chart] Sales (in Mio)\n\n|  | Net | Share |\n| --- | --- | --- |\n| 2025-01-01 | 1 | 15% |\n| 2025-02-01 |  | 20% |\n| 2025-03-01 | 0.3 |  |",
    );
    const word = (part: string) =>
      buildZip(
        docxEntries(`${wordParagraph("Text")}<c:chart/><w:altChunk/>`, {
          "word/_rels/document.xml.rels": relations({ rId1: ["chart", "charts/chart1.xml"] }),
          "word/charts/chart1.xml": part,
        }),
      );
    const inWord = await readOffice(word(`<c:chartSpace>${chart}</c:chartSpace>`), LIMITS);
    expect(inWord.skipped).toMatchObject({ charts: 0, embeddedFiles: 1 });
    const damaged = await readOffice(word(`<c:chartSpace>${chart}`), LIMITS);
    expect([textOf(damaged), damaged.skipped.charts]).toEqual(["Text", 1]);
    expect(textOf(inWord)).toMatch(/^Text\n\n\[Chart\] Sales.*\| 20% \|/s);
  });

  it("has the numbers of its lists, comments, formulas, raised digits and what is struck out, and says what is hidden", async () => {
    const p = (text: string, look = "", properties = "") =>
      `<a:p><a:pPr ${properties}</a:pPr><a:r><a:rPr ${look}/><a:t>${text}</a:t></a:r></a:p>`;
    const numbered = (text: string, level: number, type: string, start = 1) =>
      p(text, "", `lvl="${level}"><a:buAutoNum type="${type}" startAt="${start}"/>`);
    const formula =
      '<a:p><m:oMath xmlns:m="m"><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath></a:p>';
    const texts = [
      numbered("three", 0, "arabicPeriod", 3) +
        numbered("a", 1, "alphaLcParenR") +
        numbered("four", 0, "arabicPeriod", 3),
      numbered("again a", 1, "alphaLcParenR") + p("between", "", ">") + numbered("anew", 0, "arabicPeriod", 3),
      p("99", 'baseline="30000"', ">") + p("old", 'strike="sngStrike"', ">") + formula,
    ];
    const comments =
      '<cm authorId="1"><text>Check</text></cm><cm authorId="7"><txBody><p><r><t>Done</t></r></p></txBody></cm>';
    const document = await readOffice(
      samplePptx([{ shapes: `<p:sp><p:txBody>${texts.join("")}</p:txBody></p:sp>`, comments, isHidden: true }]),
      LIMITS,
    );
    expect(textOf(document).split(/\n+/)).toEqual([
      ...["[Hidden slide]", "3. three", "  a) a", "4. four", "  a) again a", "between", "3. anew"],
      ...["⁹⁹", "~~old~~", "a/b", "[Comments]", "Ada: Check", "Done"],
    ]);
  });
});

describe("an ODP", () => {
  it("is its slides, each with its title as a heading and what the speaker noted", async () => {
    const frame = (kind: string, text: string) =>
      `<drawing:frame presentation:class="${kind}"><drawing:text-box>${text}</drawing:text-box></drawing:frame>`;
    const list = "<text:list><text:list-item><text:p>One</text:p></text:list-item></text:list>";
    const notes = (text: string) =>
      `<presentation:notes>${frame("notes", `<text:p>${text}</text:p>`)}</presentation:notes>`;
    const pages = [
      frame("title", "<text:p>Plan</text:p>") + frame("outline", list) + notes("Slowly"),
      `${frame("subtitle", "<text:p>Sums</text:p>")}${notes("")}`,
      "<drawing:custom-shape><text:p>Box</text:p></drawing:custom-shape>",
    ];
    const document = await readOffice(
      sampleOdp(pages.map((page) => `<drawing:page>${page}</drawing:page>`).join("")),
      LIMITS,
    );
    expect(document).toMatchObject({
      kind: "odp",
      sectionCount: 3,
      sections: [{ text: "# Plan\n\n- One\n\n## [Notes]\n\nSlowly" }, { text: "Sums" }, { text: "Box" }],
    });
  });
});

describe("an ODT", () => {
  it("is read by its structure", async () => {
    const document = await readOffice(
      sampleOdt(
        '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="2">Costs</text:h>' +
          '<text:p>One<text:s text:c="2"/>two<text:tab/>three\n  four<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note</text:p></text:note-body></text:note></text:p>' +
          "<text:list><text:list-item><text:p>item</text:p><text:list><text:list-item><text:p>deep</text:p></text:list-item></text:list></text:list-item></text:list>" +
          '<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"/></table:table-row></table:table>' +
          "<text:p><drawing:frame><drawing:image/></drawing:frame></text:p>",
        "",
        "<text:p>Draft of May</text:p>",
      ),
      LIMITS,
    );
    expect(document).toMatchObject({ kind: "odt", skipped: { pictures: 1 } });
    expect(textOf(document)).toBe(
      [
        "## Costs",
        "One  two\tthree four [Note 1: A note]",
        "- item\n  - deep",
        "| A |  |  |\n| --- | --- | --- |",
        "## [Headers and footers]",
        "Draft of May",
      ].join("\n\n"),
    );
  });

  it("keeps each value in its column beside cells that reach over rows and columns", async () => {
    const cell = (text: string, more = "") => `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`;
    const covered = "<table:covered-table-cell/>";
    const rows = [
      cell("A", ' table:number-rows-spanned="2"') + cell("B", ' table:number-columns-spanned="2"') + covered,
      covered + cell("x") + cell("y"),
    ];
    const table = `<table:table>${rows.map((row) => `<table:table-row>${row}</table:table-row>`).join("")}</table:table>`;
    expect(textOf(await readOffice(sampleOdt(table), LIMITS))).toBe("| A | B |  |\n| --- | --- | --- |\n|  | x | y |");
  });

  it("has the numbers of its headings and lists, which begin anew or go on", async () => {
    const level = (number: number, format: string, more = "") =>
      `<text:list-level-style-number text:level="${number}" style:num-format="${format}" style:num-suffix=")" ${more}/>`;
    const styles = [
      '<style:style style:family="paragraph" style:name="Plain" style:list-style-name=""/>',
      '<text:outline-style><text:outline-level-style text:level="1" style:num-format="I" style:num-prefix="§ "/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>',
      `<text:list-style style:name="L">${level(1, "1", 'text:start-value="3"')}${level(2, "a", 'loext:num-list-format="%1%.%2%:"')}<text:list-level-style-bullet text:level="3"/></text:list-style>`,
    ].join("");
    const heading = (text: string, outline: number, more = "") =>
      `<text:h text:outline-level="${outline}" ${more}><text:number>9</text:number>${text}</text:h>`;
    const item = (content: string, more = "") => `<text:list-item ${more}>${content}</text:list-item>`;
    const p = (text: string) => `<text:p>${text}</text:p>`;
    const list = (content: string, more = "") => `<text:list ${more}>${content}</text:list>`;
    const text = [
      heading("Scope", 1) + heading("Preface", 1, 'text:style-name="Plain"') + heading("Terms", 1) + heading("Time", 2),
      list(
        item(p("three") + p("still three")) + item(p("four") + list(item(p("deep") + list(item(p("dot")))))),
        'text:style-name="L" xml:id="a"',
      ),
      list(
        item(p("five")) + item(p("nine"), 'text:start-value="9"'),
        'text:style-name="L" text:continue-numbering="true"',
      ),
      list(item(p("anew")), 'text:style-name="L"'),
      list(item(p("ten")), 'text:style-name="L" text:continue-list="a"'),
    ];
    expect(textOf(await readOffice(sampleOdt(text.join(""), "", "", styles), LIMITS)).split(/\n+/)).toEqual([
      "# § I Scope",
      "# Preface",
      "# § II Terms",
      "## II.1 Time",
      "3) three",
      "still three",
      "4) four",
      "  4.a: deep",
      "    - dot",
      "5) five",
      "9) nine",
      "3) anew",
      "10) ten",
    ]);
  });

  it("is read with comments, forms, boxes, captions of pictures, and what is raised or struck out", async () => {
    const styles =
      '<style:style style:family="text" style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:family="text" style:name="T2"><style:text-properties style:text-line-through-style="solid"/></style:style>';
    const forms =
      '<office:forms><form:form><form:text xml:id="c1" form:current-value="Ada"/><form:checkbox xml:id="c2" form:label="paid" form:current-state="checked"/><form:listbox xml:id="c3"><form:option form:label="Rome"/><form:option form:label="Oslo" form:current-selected="true"/></form:listbox></form:form></office:forms>';
    const control = (id: string) => `<draw:control draw:control="${id}"/>`;
    const comment =
      "<office:annotation><dc:creator>Ben</dc:creator><dc:date>2026-01-02</dc:date><text:p>Too</text:p><text:p>much</text:p></office:annotation>";
    const box = (ticked: string) =>
      `<field:fieldmark field:type="vnd.oasis.opendocument.field.FORMCHECKBOX"><field:param field:name="vnd.oasis.opendocument.field.Checkbox_Checked" field:value="${ticked}"/></field:fieldmark>`;
    const cell = "<table:table-cell><text:p>A</text:p></table:table-cell>";
    const frame = `<draw:frame><draw:text-box><text:p>Boxed</text:p><table:table><table:table-row>${cell}${cell}</table:table-row></table:table></draw:text-box></draw:frame>`;
    const text = [
      `${forms}<text:p>Name: ${control("c1")}, ${control("c2")}, ${control("c3")}, ${box("true")} yes ${box("false")} no</text:p>`,
      `<text:p>19<text:span text:style-name="T1">99</text:span> €${comment}, <text:span text:style-name="T2">was 25</text:span></text:p>`,
      "<text:p>Signed<draw:frame><draw:image/><svg:title>Signature</svg:title></draw:frame>by <text:title>Offer</text:title></text:p>",
      `<text:p>Below${frame}</text:p>`,
    ];
    expect(textOf(await readOffice(sampleOdt(text.join(""), "", "", styles), LIMITS))).toBe(
      [
        "Name: Ada, ☒ paid, Oslo, ☒ yes ☐ no",
        "19⁹⁹ € [Comment: Ben: Too much] , ~~was 25~~",
        "Signed [Signature] by Offer",
        "Boxed",
        "| A | A |\n| --- | --- |",
        "Below",
      ].join("\n\n"),
    );
  });

  it("with a password is refused with what to do", async () => {
    const manifest = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>";
    await expect(readOffice(sampleOdt("", manifest), LIMITS)).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/password/),
    });
  });
});

describe("a hostile document", () => {
  it.each(HOSTILE_DOCUMENTS)("is refused: %s", async (_name, make, message) => {
    await expect(readOffice(make(), { ...LIMITS, deadlineMs: 10_000 })).rejects.toMatchObject({
      name: "TurnError",
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(message),
      isRetryable: false,
    });
  });

  it("whose rows reach to the last column is cut at the limit", async () => {
    const rows = Array.from({ length: 2_000 }, (_, row) => `<row><c r="XFD${row + 1}"><v>1</v></c></row>`).join("");
    const document = await readOffice(sampleXlsx({ Wide: rows }), LIMITS);
    expect(document.isCut).toBe(true);
    expect(textOf(document).length).toBeLessThanOrEqual(LIMITS.maxCharacters);
  });

  it("that ends its reader takes nobody along", async () => {
    const text = "<w:p>".repeat(900) + wordParagraph("x ".repeat(40 * MEGABYTE)) + "</w:p>".repeat(900);
    const error = await readOffice(sampleDocx(), { ...LIMITS, maxMemoryBytes: 1 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE" });
    const outcome = await readOffice(buildZip(docxEntries(text)), LIMITS).catch((reason: unknown) => reason);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "UNSUPPORTED_FILE" });
    expect(textOf(await readOffice(sampleDocx("Still here"), LIMITS))).toBe("Still here");
  });

  it("is ended when it takes too much memory", async () => {
    let state = 1;
    const words = Array.from({ length: 3_000_000 }, () => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return state.toString(36);
    });
    const strings = words.map((word) => `<t>${word}</t>`);
    const error = await readOffice(sampleXlsx({ A: "" }, strings), {
      ...LIMITS,
      maxMemoryBytes: 64 * MEGABYTE,
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/too complex/) });
  });

  it("is ended at its deadline", async () => {
    await expect(readOffice(sampleDocx("Hello"), { ...LIMITS, deadlineMs: 1 })).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
    });
  });
});

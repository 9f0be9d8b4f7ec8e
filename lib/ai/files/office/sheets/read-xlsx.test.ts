import { describe, expect, it } from "vitest";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { relations, sampleXlsx, xlsxEntries } from "@/lib/ai/files/samples/sample-office";
import { buildZip } from "@/lib/ai/files/samples/sample-zip";

const LIMITS = { maxCharacters: 100_000 };

const textOf = ({ sections }: OfficeText) => sections.map(({ text }) => text).join("\n");

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
    const shared =
      '<row><c r="A1"><f t="shared" ref="A1:A3" si="0">B1*2</f></c></row><row><c r="A2"><f t="shared" si="0"/></c></row><row><c r="A3"><f t="shared" si="0"/><v>6</v></c></row>';
    expect(textOf(await readOffice(sampleXlsx({ A: shared }), LIMITS))).toBe("=B1*2\n=B1*2 [as in A1]\n6");
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

  it("shows dates that are written out as it shows those that are counted", async () => {
    const cells = [
      "2025-01-01T00:00:00",
      "2025-01-01T18:00:00.000Z",
      "2025-01-01T17:59:59.9999996",
      "1899-12-30T18:00:00",
      "2025-01-01",
      "2025-13-01T00:00:00",
    ].map((value) => `<c t="d" s="1"><v>${value}</v></c>`);
    expect(textOf(await readOffice(sampleXlsx({ A: `<row>${cells.join("")}</row>` }), LIMITS))).toBe(
      "2025-01-01,2025-01-01 18:00:00,2025-01-01 18:00:00,18:00:00,2025-01-01,2025-13-01T00:00:00",
    );
  });

  it("shows percentages as such, and small and large numbers with all their digits", async () => {
    const rows = `<row>${["0.15", "0.07", "-1.005", "0"].map((value) => `<c s="5"><v>${value}</v></c>`).join("")}</row>`;
    expect(textOf(await readOffice(sampleXlsx({ A: rows }), LIMITS))).toBe("15%,7%,-100.5%,0%");
    const small = "<row><c><v>1E-3</v></c><c><v>-2.5E-2</v></c><c><v>1.2E+20</v></c></row>";
    expect(textOf(await readOffice(sampleXlsx({ A: small }), LIMITS))).toBe("0.001,-0.025,120000000000000000000");
  });

  it("shows amounts of money with their currency, other numbers with their unit, millions as such, and zeros in front", async () => {
    const cell = (style: number, value: string) => `<c s="${style}"><v>${value}</v></c>`;
    const cells = [6, 7, 8, 9, 10, 11].map((style) => cell(style, "-1234500")).join("");
    const rows = `<row>${cells}</row><row>${["17", "1234567", "1.5"].map((value) => cell(12, value)).join("")}</row>`;
    expect(textOf(await readOffice(sampleXlsx({ A: rows }), LIMITS))).toBe(
      "-1234500 €,-$1234500,-1234500 zł,-CHF1234500,-1234500 pcs,-1.2345 Mio €\nRE-00-017,RE-1234-567,1.5",
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

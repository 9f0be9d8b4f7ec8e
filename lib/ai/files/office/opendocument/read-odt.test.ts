import { describe, expect, it } from "vitest";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { sampleOdt } from "@/lib/ai/files/samples/sample-open-document";

const LIMITS = { maxCharacters: 100_000 };

const textOf = ({ sections }: OfficeText) => sections.map(({ text }) => text).join("\n");

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

  it("says of hidden text that nobody sees it", async () => {
    const styles =
      '<style:style style:family="text" style:name="T1"><style:text-properties text:display="none"/></style:style>';
    const text = '<text:p>Seen <text:span text:style-name="T1">not at all</text:span> too</text:p>';
    expect(textOf(await readOffice(sampleOdt(text, "", "", styles), LIMITS))).toBe("Seen [Not shown: not at all] too");
  });

  it("says the same of sections, paragraphs and texts that their conditions hide", async () => {
    const hidden = '<text:p>Old <text:span text:style-name="T1">terms</text:span></text:p>';
    const cell = "<table:table-cell><text:p>7</text:p></table:table-cell>";
    const text = [
      `<text:section text:display="none">${hidden}<text:section><text:h text:outline-level="1">Price</text:h></text:section><table:table><table:table-row>${cell}</table:table-row></table:table></text:section>`,
      '<text:section text:display="condition" text:is-hidden="true"><text:p>For A</text:p></text:section>',
      '<text:section text:display="condition"><text:p>For B</text:p></text:section>',
      '<text:p>Not if paid<text:hidden-paragraph text:condition="x" text:is-hidden="true"/> now</text:p>',
      '<text:p>Due<text:hidden-paragraph text:condition="x"/></text:p>',
      '<text:p>Pay <text:hidden-text text:is-hidden="true">9 €</text:hidden-text> <text:hidden-text>8 €</text:hidden-text></text:p>',
    ];
    const styles =
      '<style:style style:family="text" style:name="T1"><style:text-properties text:display="none"/></style:style>';
    expect(textOf(await readOffice(sampleOdt(text.join(""), "", "", styles), LIMITS)).split("\n\n")).toEqual([
      "[Not shown: Old terms]",
      "# [Not shown: Price]",
      "| [Not shown: 7] |\n| --- |",
      "[Not shown: For A]",
      "For B",
      "[Not shown: Not if paid now]",
      "Due",
      "Pay [Not shown: 9 €] 8 €",
    ]);
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

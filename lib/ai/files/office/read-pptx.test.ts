import { describe, expect, it } from "vitest";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { docxEntries, relations, samplePptx, slideShape, wordParagraph } from "@/lib/ai/files/samples/sample-office";
import { sampleOdp } from "@/lib/ai/files/samples/sample-open-document";
import { buildZip } from "@/lib/ai/files/samples/sample-zip";

const LIMITS = { maxCharacters: 100_000 };

const textOf = ({ sections }: OfficeText) => sections.map(({ text }) => text).join("\n");

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

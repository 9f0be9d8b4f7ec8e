import { describe, expect, it } from "vitest";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { relations, samplePptx, slideShape, xlsxEntries } from "@/lib/ai/files/samples/sample-office";
import { understandSample } from "@/lib/ai/files/samples/sample-understand";
import { buildZip, type ZipEntry } from "@/lib/ai/files/samples/sample-zip";

const LIMITS = { maxCharacters: 100_000 };
const DAMAGED = { code: "UNSUPPORTED_FILE", message: expect.stringMatching(/damaged/) };

const textOf = ({ sections }: OfficeText) => sections.map(({ text }) => text).join("\n");

const SHEETS = { A: '<row><c t="s"><v>0</v></c></row>', B: "<row><c><v>7</v></c></row>" };
const LINKS = "xl/_rels/workbook.xml.rels";
const workbook = () => xlsxEntries(SHEETS, ["<t>Word</t>"]);

const without = (entries: ZipEntry[], name: string) => buildZip(entries.filter((entry) => entry.name !== name));
const linked = (links: Record<string, [string, string]>) =>
  buildZip(workbook().map((entry) => (entry.name === LINKS ? { ...entry, content: relations(links) } : entry)));

describe("an XLSX that has lost a part", () => {
  it.each([
    ["what says where its sheets are", () => without(workbook(), LINKS)],
    ["where one sheet is", () => linked({ rId1: ["worksheet", "worksheets/sheet1.xml"], s1: STRINGS })],
    ["one sheet", () => without(workbook(), "xl/worksheets/sheet2.xml")],
    ["the words of its cells", () => without(workbook(), "xl/sharedStrings.xml")],
    [
      "where the words of its cells are",
      () => linked({ rId1: ["worksheet", "worksheets/sheet1.xml"], rId2: ["worksheet", "worksheets/sheet2.xml"] }),
    ],
  ])("is refused as damaged: %s", async (_part, make) => {
    await expect(understandSample(make())).rejects.toMatchObject(DAMAGED);
  });

  it("is read where it is but a sheet of one chart, or a part whose name has other capitals", async () => {
    const links: Record<string, [string, string]> = {
      rId1: ["worksheet", "WorkSheets/Sheet1.xml"],
      rId2: ["chartsheet", "chartsheets/sheet1.xml"],
      s1: ["sharedStrings", "SharedStrings.xml"],
    };
    const document = await readOffice(linked(links), LIMITS);
    expect([document.sectionCount, textOf(document)]).toEqual([1, "Word"]);
  });
});

const STRINGS: [string, string] = ["sharedStrings", "sharedStrings.xml"];

it("a PPTX that says of no slide where it is is refused as damaged", async () => {
  const bytes = samplePptx([{ shapes: slideShape("", "One") }]);
  const lost = Buffer.from(
    bytes.toString("latin1").replaceAll("ppt/_rels/presentation", "ppt/_rels/presentatiom"),
    "latin1",
  );
  await expect(readOffice(lost, LIMITS)).rejects.toMatchObject(DAMAGED);
});

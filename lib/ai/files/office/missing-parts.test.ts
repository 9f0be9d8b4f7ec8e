import { describe, expect, it } from "vitest";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { relations, samplePptx, slideShape, xlsxEntries } from "@/lib/ai/files/samples/sample-office";
import { blockOf, understandSample } from "@/lib/ai/files/samples/sample-understand";
import { buildZip, type ZipEntry, zipEntries } from "@/lib/ai/files/samples/sample-zip";

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

describe("an OpenDocument", () => {
  const withType = (mediaType: string | undefined, body = "text") => {
    const text = `<office:document-content xmlns:office="o" xmlns:text="t"><office:automatic-styles/><office:body><office:${body}><text:p>Read.</text:p></office:${body}></office:body></office:document-content>`;
    const parts = { "META-INF/manifest.xml": '<manifest xmlns="m"/>', "content.xml": text };
    return buildZip(zipEntries({ ...(mediaType !== undefined && { mimetype: mediaType }), ...parts }));
  };
  const OPEN_DOCUMENT = "application/vnd.oasis.opendocument";

  it.each([
    ["is damaged", () => withType("applicXtion/vnd.oasis.openXocument.text")],
    ["is empty", () => withType("")],
    ["is missing", () => withType(undefined)],
    ["is another one", () => withType(`${OPEN_DOCUMENT}.graphics`)],
    ["is damaged in its sum", () => damageFirst(withType(`${OPEN_DOCUMENT}.text`))],
  ])("is read by what it holds where what it says of itself %s", async (_how, make) => {
    const understood = await understandSample(make());
    expect([understood.kind, blockOf(understood)?.text.trim()]).toEqual(["odt", "Read."]);
  });

  it.each([
    ["drawing", withType(`${OPEN_DOCUMENT}.graphics`, "drawing")],
    ["database", withType("", "database")],
    ["formula", buildZip(zipEntries({ mimetype: `${OPEN_DOCUMENT}.formula`, "content.xml": "<math/>" }))],
  ])("of another kind is refused with what to do: %s", async (form, bytes) => {
    await expect(understandSample(bytes)).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(new RegExp(`another kind \\(${form}\\).* Save it as .*PDF\\.$`)),
    });
  });
});

/** With another byte in its first entry than its sum is of. */
function damageFirst(archive: Buffer): Buffer {
  const damaged = Buffer.from(archive);
  const at = damaged.indexOf("mimetype") + "mimetype".length + 3;
  damaged[at] = (damaged[at] ?? 0) ^ 1;
  return damaged;
}

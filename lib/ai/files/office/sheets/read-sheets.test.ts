import { type BookType, utils, type WorkBook, type WorkSheet, write } from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import { detectKind } from "@/lib/ai/files/detect-kind";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { sampleOds } from "@/lib/ai/files/samples/sample-open-document";

const LIMITS = { maxCharacters: 100_000 };

function workbook(is1904 = false): WorkBook {
  const bills: WorkSheet = {
    "!ref": "A1:G3",
    A1: { t: "s", v: 'Name, "short"' },
    B1: { t: "s", v: "Due" },
    C1: { t: "s", v: "Share" },
    A2: { t: "s", v: "Größe\nΩ" },
    B2: { t: "n", v: is1904 ? 44_197 - 1_462 : 44_197, z: "dd/mm/yyyy" },
    C2: { t: "n", v: 0.155, z: "0.0%" },
    D2: { t: "n", v: 0.1 + 0.2 },
    E2: { t: "b", v: true },
    F2: { t: "e", v: 0x2a },
    A3: { t: "s", v: "x", c: [{ a: "Ada", t: "Paid?" }] },
    G3: { t: "n", v: 1234.5, z: '#,##0.00\\ "€"' },
  };
  const book = utils.book_new();
  utils.book_append_sheet(book, bills, "Bills");
  utils.book_append_sheet(book, utils.aoa_to_sheet([["Secret"]]), "Old");
  book.Workbook = { Sheets: [{}, { Hidden: 1 }], WBProps: { date1904: is1904 } };
  return book;
}

const bytesOf = (book: WorkBook, bookType: BookType): Buffer =>
  write(book, { type: "buffer", bookType, compression: true });

const ROWS = '"Name, ""short""",Due,Share\n"Größe\nΩ",2021-01-01,15.5%,0.3,TRUE,#N/A\n';

describe.each<[string, BookType, string]>([
  ["an XLS", "biff8", "xls"],
  ["an XLSB", "xlsb", "xlsb"],
  ["a workbook of Excel 2003 in XML", "xlml", "xls"],
])("%s", (_name, bookType, kind) => {
  it("is read as an XLSX is: values as their formats show them, comments, hidden sheets", async () => {
    const bytes = bytesOf(workbook(), bookType);
    expect(await readOffice(bytes, LIMITS)).toMatchObject({
      kind,
      sectionCount: 2,
      sections: [
        { title: "Bills", text: `${ROWS}x [Comment: Ada: Paid?],,,,,,1234.5 €` },
        { title: "Old (hidden)", text: "Secret" },
      ],
    });
  });

  it("that counts its days from 1904 shows the same dates", async () => {
    const { sections } = await readOffice(bytesOf(workbook(true), bookType), LIMITS);
    expect(sections[0]?.text).toContain("2021-01-01");
  });

  it("stops where the window is full", async () => {
    const { isCut, sections } = await readOffice(bytesOf(workbook(), bookType), { maxCharacters: 30 });
    expect({ isCut, text: sections[0]?.text }).toEqual({ isCut: true, text: ROWS.slice(0, 30).trim() });
  });
});

describe("an ODS", () => {
  it("is read as an XLSX is", async () => {
    const { kind, sections } = await readOffice(bytesOf(workbook(), "ods"), LIMITS);
    expect({ kind, titles: sections.map(({ title }) => title) }).toEqual({ kind: "ods", titles: ["Bills", "Old"] });
    expect(sections[0]?.text).toContain("Größe\nΩ");
    expect(sections[0]?.text).toContain("2021-01-01");
  });
});

it("names hidden rows and columns", async () => {
  const book = workbook();
  Object.assign(book.Sheets.Bills ?? {}, { "!cols": [{}, { hidden: true }, { hidden: true }, {}, { hidden: true }] });
  Object.assign(book.Sheets.Bills ?? {}, { "!rows": [{}, {}, { hidden: true }] });
  const { sections } = await readOffice(bytesOf(book, "xlsb"), LIMITS);
  expect(sections[0]?.text).toMatch(/1234\.5 €,\[hidden row\]\n\n\[Hidden columns\]\nB-C\nE$/);
});

it.each([
  [
    "an XML that is a workbook",
    '<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
    "workbook",
  ],
  ["an XML that names one", '<?xml version="1.0"?>\n<list><Workbook xmlns="urn:other"/></list>', "xml"],
])("takes %s for what it is", async (_name, text, kind) => {
  const input = { head: Buffer.from(text), isWhole: true, name: "a.xls", contentType: "" };
  expect(await detectKind(input)).toMatchObject({ kind });
});

it("refuses a workbook that says it grows out of all measure before it is unpacked", async () => {
  const bytes = bytesOf(workbook(), "xlsb");
  // The size that the directory states of a part.
  const entry = bytes.lastIndexOf("xl/worksheets/sheet1.bin") - 46;
  bytes.writeUInt32LE(100 * 1024 * 1024, entry + 24);
  await expect(readOffice(bytes, LIMITS)).rejects.toMatchObject({
    code: "UNSUPPORTED_FILE",
    message: expect.stringContaining("meant to do harm"),
  });
});

it.each([
  ["ods", "content.xml"],
  ["xlsb", "xl/worksheets/sheet1.bin"],
] as const)("refuses an archive that is damaged as that, and not when its time is over: %s", async (bookType, part) => {
  const bytes = bytesOf(workbook(), bookType);
  const packed = bytes.indexOf(part) + part.length;
  bytes.fill(0x06, packed, packed + 8);
  await expect(readOffice(bytes, LIMITS)).rejects.toMatchObject({
    code: "UNSUPPORTED_FILE",
    message: "The document is damaged and could not be read.",
  });
});

it("names hidden sheets, rows and columns of an ODS", async () => {
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
  const row = (more: string, ...texts: string[]) =>
    `<table:table-row ${more}>${texts.map(cell).join("")}</table:table-row>`;
  const hiddenColumns = '<table:table-column table:number-columns-repeated="2" table:visibility="collapse"/>';
  const filtered = 'table:visibility="filter" table:number-rows-repeated="2"';
  const ods = sampleOds(
    '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>' +
      '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>',
    `<table:table table:name="Bills" table:style-name="ta1"><table:table-column/>${hiddenColumns}` +
      `${row("", "a", "b", "c")}${row(filtered, "twice", "y", "z")}${row("", "end", "", "")}</table:table>` +
      `<table:table table:name="Old" table:style-name="ta2">${row("", "Secret")}</table:table>`,
  );
  const { sections } = await readOffice(ods, LIMITS);
  expect(sections).toEqual([
    { title: "Bills", text: "a,b,c\ntwice,y,z,[hidden row]\ntwice,y,z,[hidden row]\nend\n\n[Hidden columns]\nB-C" },
    { title: "Old (hidden)", text: "Secret" },
  ]);
});

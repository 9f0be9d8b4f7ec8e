import { describe, expect, it } from "vitest";
import { readPdf } from "@/lib/ai/files/pages/read-pdf";
import { encryptedPdf, growingPdf, HOSTILE_PDFS } from "@/lib/ai/files/samples/sample-hostile-pdf";
import {
  annotatedPdf,
  asianFont,
  buildPdf,
  endlessPdf,
  fontPdf,
  namedFont,
  scannedPdf,
  textPdf,
  xfaPdf,
} from "@/lib/ai/files/samples/sample-pdf";
import { TurnError } from "@/lib/domain/turn-errors";

const LIMITS = { maxCharacters: 100_000 };

describe("readPdf", () => {
  it("reads the text of each page", async () => {
    expect(await readPdf(textPdf(["Hello PDF world", "Second page"]), LIMITS)).toEqual({
      pageCount: 2,
      pages: ["Hello PDF world", "Second page"],
      scannedPages: [],
    });
  });

  it("keeps lines apart", async () => {
    const { pages } = await readPdf(textPdf(["First line\nSecond line"]), LIMITS);
    expect(pages).toEqual(["First line\nSecond line"]);
  });

  it("reads what was filled into a form, and notes", async () => {
    const box = (name: string, state: string) =>
      `/Subtype /Widget /FT /Btn /T (${name}) /V /${state} /AS /${state} /AP << /N << /Yes << >> /Off << >> >> >>`;
    const added = [
      "/Subtype /Widget /FT /Tx /T (f1) /TU (Your name) /V (Ada Lovelace)",
      "/Subtype /Widget /FT /Tx /T (f2) /V ()",
      "/Subtype /Widget /FT /Tx /T (secret) /V (hidden) /F 2",
      "/Subtype /Widget /FT /Ch /T (city) /Ff 131072 /Opt [[(r) (Rome)] [(o) (Oslo)]] /V (o)",
      box("agreed", "Yes"),
      box("refused", "Off"),
      "/Subtype /FreeText /DA (/F1 9 Tf) /Contents (typed on top)",
      "/Subtype /Popup /Contents (typed on top)",
    ];
    expect((await readPdf(annotatedPdf("A form", added), LIMITS)).pages).toEqual([
      "A form\n\n[Filled in]\nYour name: Ada Lovelace\ncity: Oslo\nagreed: checked\n\n[Notes]\ntyped on top",
    ]);
  });

  it("keeps the lines of what was filled in, and leaves out what a form hides by points", async () => {
    const added = [
      "/Subtype /Widget /FT /Tx /Ff 4096 /T (Address) /V (Main St 12\\r8000 Town)",
      "/Subtype /Widget /FT /Tx /Ff 8192 /T (Password) /V (hunter2)",
      "/Subtype /FreeText /Contents (one\\r\\ntwo)",
    ];
    expect((await readPdf(annotatedPdf("A form", added), LIMITS)).pages).toEqual([
      "A form\n\n[Filled in]\nAddress: Main St 12\n8000 Town\n\n[Notes]\none\ntwo",
    ]);
  });

  it("reads who signed and what was stamped on, which stands in the looks of annotations alone", async () => {
    const look = (content: string) => ({
      dictionary: "/Type /XObject /Subtype /Form /BBox [0 0 90 20] /Resources << /Font << /F1 3 0 R >> >>",
      data: Buffer.from(content),
    });
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
    const pdf = buildPdf([
      "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] >> >>",
      "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
      font,
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R /Annots [6 0 R 7 0 R 8 0 R] >>",
      { dictionary: "", data: Buffer.from("BT /F1 12 Tf 72 700 Td (A contract) Tj ET") },
      "<< /Type /Annot /Subtype /Widget /FT /Sig /T (sig1) /Rect [0 0 90 20] /AP << /N 9 0 R >> >>",
      "<< /Type /Annot /Subtype /Stamp /Rect [0 40 90 60] /AP << /N 10 0 R >> >>",
      "<< /Type /Annot /Subtype /Stamp /F 2 /Rect [0 80 90 99] /AP << /N 10 0 R >> >>",
      look("BT /F1 6 Tf 2 12 Td [(Signed) -300 (by Ada)] TJ 0 -8 Td (on 2026-11-26) Tj ET"),
      look("BT /F1 9 Tf 2 9 Td (APPROVED) Tj ET"),
    ]);
    expect((await readPdf(pdf, LIMITS)).pages).toEqual([
      "A contract\n\n[Signatures and stamps]\nstamp: APPROVED\nsignature: Signed by Ada on 2026-11-26",
    ]);
  });

  it("reads forms that stand in a document as XML alone, with what is filled in, and not what stands in their place", async () => {
    const box = 'w="200pt" h="20pt"';
    const caption = (text: string) => `<caption reserve="90pt"><value><text>${text}</text></value></caption>`;
    const field = (name: string, text: string, ui: string, more = "") =>
      `<field name="${name}" ${box} ${more}>${caption(text)}<ui>${ui}</ui></field>`;
    const tick = (name: string) =>
      `<field name="${name}" ${box}>${caption(name)}<ui><checkButton/></ui><items><integer>1</integer><integer>0</integer></items></field>`;
    const country = `<field name="country" ${box}>${caption("Country")}<ui><choiceList/></ui><items><text>Norway</text><text>Italy</text></items><items save="1" presence="hidden"><text>no</text><text>it</text></items></field>`;
    const body = [
      `<draw ${box}><value><text>Application for a pass</text></value></draw>`,
      field("city", "City:", "<textEdit/>"),
      field("about", "About", '<textEdit multiLine="1"/>'),
      field("secret", "Secret", "<textEdit/>", 'presence="hidden"'),
      field("empty", "Nickname", "<textEdit/>"),
      country,
      tick("agreed"),
      tick("refused"),
    ].join("");
    const data =
      "<city>Oslo</city><about>Two lines</about><secret>no</secret><country>it</country><agreed>1</agreed><refused>0</refused>";
    expect(await readPdf(xfaPdf("Please wait...", body, data), LIMITS)).toEqual({
      pageCount: 1,
      pages: [
        "Application for a pass\nCity: Oslo\nAbout: Two lines\nNickname\nCountry: Italy\n[x] agreed\n[ ] refused",
      ],
      scannedPages: [],
    });
    expect((await readPdf(xfaPdf("Please wait...", body, data), { maxCharacters: 22 })).pages).toEqual([
      "Application for a pass",
    ]);
    expect((await readPdf(xfaPdf("Please wait...", "<draw>", ""), LIMITS)).pages).toEqual(["Please wait..."]);
  });

  it("keeps columns apart and digits raised, says what was struck out, what notes are about and which files came along", async () => {
    const show = (x: number, y: number, text: string, size = 10) =>
      `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET `;
    const cells = show(50, 700, "Two bolts") + show(150, 700, "2") + show(200, 700, "500,00") + show(50, 680, "19");
    const content = cells + show(62, 684, "99", 6) + show(72, 680, "EUR") + show(50, 660, "Old") + show(80, 660, "New");
    const quad = (left: number, right: number, y: number) =>
      `/Rect [${left} ${y} ${right} ${y + 12}] /QuadPoints [${left} ${y + 12} ${right} ${y + 12} ${left} ${y} ${right} ${y}]`;
    const pdf = buildPdf([
      "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(factur-x.xml) 8 0 R] >> >> >>",
      "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R /Annots [6 0 R 7 0 R] >>",
      { dictionary: "", data: Buffer.from(content, "latin1") },
      `<< /Type /Annot /Subtype /StrikeOut ${quad(48, 72, 657)} >>`,
      `<< /Type /Annot /Subtype /Highlight /Contents (Why?) ${quad(78, 110, 657)} >>`,
      "<< /Type /Filespec /F (factur-x.xml) /EF << /F 9 0 R >> >>",
      { dictionary: "/Type /EmbeddedFile", data: Buffer.from("<xml/>") },
    ]);
    expect(await readPdf(pdf, LIMITS)).toEqual({
      pageCount: 1,
      pages: ['Two bolts\t2\t500,00\n19⁹⁹ EUR\nOld\tNew\n\n[Notes]\nstruck out: "Old"\non "New": Why?'],
      scannedPages: [],
      attached: [{ name: "factur-x.xml", contentType: "" }],
    });
  });

  it("keeps words apart in lines that run from right to left, and mends ligatures with their bytes swapped", async () => {
    const show = (x: number, y: number, text: string) => `BT /F1 10 Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET `;
    const content = show(80, 700, "AB") + show(57, 700, "456") + show(41, 700, "A") + show(50, 680, "oCDcient GH");
    const named = ["<41> <05D0>", "<42> <05D1>", "<43> <6600>", "<44> <CF00>", "<47> <65E5>", "<48> <6700>"];
    const pdf = fontPdf(content, namedFont(named));
    expect((await readPdf(pdf, LIMITS)).pages).toEqual(["בא 456 א\nofficient 日最"]);
  });

  it.each([
    ["90ms-RKSJ-H", "Japan1", "93fa967b8cea 41", "日本語A"],
    ["UniJIS-UCS2-H", "Japan1", "65e5672c8a9e", "日本語"],
    ["GBK-EUC-H", "GB1", "ced2c3c7", "我们"],
    ["UniGB-UCS2-H", "GB1", "62114eec", "我们"],
    ["ETen-B5-H", "CNS1", "a4a4a4e5", "中文"],
    ["KSCms-UHC-H", "Korea1", "c7d1b1b9beee", "한국어"],
  ])(
    "reads letters that a font outside the document has by a table outside it, %s",
    async (table, letters, codes, text) => {
      const pdf = fontPdf(`BT /F1 12 Tf 72 700 Td <${codes}> Tj ET`, asianFont(table, letters));
      expect((await readPdf(pdf, LIMITS)).pages).toEqual([text]);
    },
  );

  it("reads columns of letters that stand one below the other as lines, and rows of a table as rows", async () => {
    const show = (x: number, y: number, code: string) => `BT /F1 10 Tf 1 0 0 1 ${x} ${y} Tm <${code}> Tj ET `;
    const column = show(200, 700, "65e5") + show(200, 690, "672c") + show(200, 680, "8a9e");
    const next = show(180, 700, "6587") + show(180, 690, "5b57");
    const rows = show(50, 500, "4e00") + show(50, 485, "4e8c");
    const pdf = fontPdf(column + next + rows, asianFont("UniJIS-UCS2-H", "Japan1"));
    expect((await readPdf(pdf, LIMITS)).pages).toEqual(["日本語\n文字\n一\n二"]);
  });

  it("shows which box is ticked, and the points of lists, of fonts of signs", async () => {
    const signs = ["<41> <F0FE>", "<42> <F0A8>", "<43> <F0B7>", "<44> <F02B>"];
    const pdf = fontPdf("BT /F1 12 Tf 72 700 Td (A paid B open C one of two more D) Tj ET", namedFont(signs));
    expect((await readPdf(pdf, LIMITS)).pages).toEqual(["☑ paid ☐ open • one of two more \uF02B"]);
  });

  it("takes a page for one without text whose font does not say which letters it shows", async () => {
    const shapes = ["<41> <E001>", "<42> <0002>", "<43> <FFFD>", "<5F> <0003>"];
    const show = (text: string) => fontPdf(`BT /F1 12 Tf 72 700 Td (${text}) Tj ET`, namedFont(shapes));
    for (const text of ["AAAA of words", "BCBC of words", "7KLV_LV_D_OHWWHU"]) {
      expect(await readPdf(show(text), LIMITS)).toMatchObject({ pages: [""], scannedPages: [1] });
    }
    const withSigns = await readPdf(show("A a point of a list with BC"), LIMITS);
    expect(withSigns).toMatchObject({ pages: [expect.stringContaining("a point of a list")], scannedPages: [] });
  });

  it("has the text of a page whose drawings take too long to be looked through for pictures", async () => {
    const line = "A plan of many lines. ".repeat(3).trim();
    const text = `BT /F1 9 Tf 9 TL 50 700 Td ${`(${line}) Tj T* `.repeat(4)} ET`;
    const pdf = scannedPdf([{ content: `${text} ${"0 0 m 9 9 l S\n".repeat(400_000)}` }]);
    expect((await readPdf(pdf, LIMITS, { countingMs: 300 })).pages).toEqual([Array(4).fill(line).join("\n")]);
  });

  it("leaves a page without a text layer to its picture, whatever was filled in", async () => {
    const pdf = annotatedPdf("", ["/Subtype /Widget /FT /Tx /T (f1) /V (Ada)"]);
    expect((await readPdf(pdf, LIMITS)).pages).toEqual([""]);
  });

  it("gives empty pages as such", async () => {
    expect(await readPdf(textPdf([""]), LIMITS)).toEqual({ pageCount: 1, pages: [""], scannedPages: [1] });
  });

  it("stops at the limit of characters", async () => {
    const { pageCount, pages } = await readPdf(textPdf(["Hello PDF world", "Second", "Third"]), { maxCharacters: 18 });
    expect(pageCount).toBe(3);
    expect(pages).toEqual(["Hello PDF world", "Sec"]);
  });

  it("reads several at once", async () => {
    const texts = Array.from({ length: 6 }, (_, index) => `Document ${index}`);
    const results = await Promise.all(texts.map((text) => readPdf(textPdf([text]), LIMITS)));
    expect(results.map((result) => result.pages[0])).toEqual(texts);
  });
});

describe("a hostile PDF", () => {
  // One that went on would go on beyond the test's own time.
  it.each(HOSTILE_PDFS)("is refused or read to its end: %s", async (_name, make) => {
    const outcome = await readPdf(make(), { ...LIMITS, deadlineMs: 4_000 }).catch((error: unknown) => error);
    const refused = { name: "TurnError", code: "UNSUPPORTED_FILE", isRetryable: false };
    expect(outcome).toMatchObject(outcome instanceof Error ? refused : { pages: expect.any(Array) });
  });

  it("that is encrypted is refused with what to do", async () => {
    const error = await readPdf(encryptedPdf(), LIMITS).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TurnError);
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/password/) });
  });

  it("leaves the server free to work meanwhile", async () => {
    let hasEnded = false;
    const reading = readPdf(endlessPdf(), { ...LIMITS, deadlineMs: 1_000 })
      .catch(() => {})
      .finally(() => {
        hasEnded = true;
      });
    // Each turn of the loop is work that the server could do; a reader in this process would leave none.
    let turns = 0;
    for (; !hasEnded; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
    await reading;
    expect(turns).toBeGreaterThan(10);
  });

  it("is ended at its deadline", async () => {
    await expect(readPdf(textPdf(["Hello"]), { ...LIMITS, deadlineMs: 1 })).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
      cause: expect.objectContaining({ message: "too slow" }),
    });
  });

  it("is ended when it takes too much memory", async () => {
    const bytes = growingPdf(150 * 1024 * 1024);
    const limits = { ...LIMITS, maxMemoryBytes: 48 * 1024 * 1024, deadlineMs: 15_000 };
    const error = (await readPdf(bytes, limits).catch((reason: unknown) => reason)) as TurnError;
    expect(error).toMatchObject({
      code: "UNSUPPORTED_FILE",
      cause: expect.objectContaining({ message: "too much memory" }),
    });
  });
});

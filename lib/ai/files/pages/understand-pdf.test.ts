import { describe, expect, it } from "vitest";
import { estimatePartTokens } from "@/lib/ai/estimate-messages";
import { asianFont, fontPdf, scannedPdf, textPdf } from "@/lib/ai/files/samples/sample-pdf";
import {
  blockOf,
  refusalOf as failure,
  understandSample as understand,
} from "@/lib/ai/files/samples/sample-understand";
import { splitBlocks } from "@/lib/domain/prompt-blocks";

const SCAN = { width: 60, height: 80 };

describe("a PDF", () => {
  it("becomes its pages' text, whatever its name", async () => {
    const file = await understand(textPdf(["Invoice 17", "Total 99 EUR"]), {
      name: "scan.txt",
      contentType: "text/plain",
    });
    expect(blockOf(file)).toMatchObject({ kind: "pdf", text: "[Page 1]\nInvoice 17\n\n[Page 2]\nTotal 99 EUR" });
    expect(file.extraction).toMatchObject({ kind: "pdf", pages: 2 });
  });

  it("longer than the window is cut, with what was left out", async () => {
    const file = await understand(
      textPdf(Array.from({ length: 30 }, (_, page) => `This is the text of page ${page}`)),
      { maxTokens: 60 },
    );
    expect(file.extraction).toMatchObject({ pages: 30, leftOut: { reason: "window", pages: expect.any(Number) } });
  });

  it("shows its pages without text as pictures, each under its number", async () => {
    const pdf = scannedPdf([{ text: "Cover" }, { scan: SCAN }, {}, { scan: SCAN }]);
    const { parts, extraction } = await understand(pdf, { name: "scan.pdf" });
    expect(
      parts.map((part) => (part.type === "text" ? splitBlocks(part.text).blocks[0]?.text : part.mediaType)),
    ).toEqual([
      "[Page 1]\nCover\n\n[Page 2, shown as a picture below]\n\n[Page 3]\n\n[Page 4, shown as a picture below]",
      "The picture of page 2 follows.",
      "image/jpeg",
      "The picture of page 4 follows.",
      "image/jpeg",
    ]);
    expect(extraction).toMatchObject({ kind: "pdf", pages: 4, picturePages: 2, picturePageNumbers: "2, 4" });
    expect(extraction).not.toHaveProperty("skipped");
    expect(extraction.tokens).toBeGreaterThanOrEqual(estimatePartTokens(parts) - 5);
  });

  it("shows scans with a line of text stamped on them as pictures, and says of a text that pictures stood beside it", async () => {
    const stamp = (text: string) => `BT /F1 8 Tf 72 20 Td (${text}) Tj ET`;
    const wholePage = "q 595 0 0 842 0 0 cm /Scan Do Q";
    const halves = "q 595 0 0 421 0 0 cm /Scan Do Q q 595 0 0 421 0 421 cm /Scan Do Q";
    const pdf = scannedPdf([
      { scan: SCAN, content: `${wholePage} ${stamp("Scanned by an app")}` },
      { scan: SCAN, content: `${halves} ${stamp("Page 2")}` },
      { scan: SCAN, content: `q 100 0 0 100 72 700 cm /Scan Do Q ${stamp("Letter with a logo")}` },
      { scan: SCAN, content: `${wholePage} ${stamp("A text on patterned paper. ) Tj 0 9 Td (".repeat(10))}` },
    ]);
    const { parts, extraction } = await understand(pdf);
    expect(extraction).toMatchObject({ picturePages: 2, picturePageNumbers: "1-2", skipped: { pictures: 1 } });
    expect(parts.filter(({ type }) => type === "image")).toHaveLength(2);
    const { text, note } = splitBlocks(parts[0]?.type === "text" ? parts[0].text : "").blocks[0] ?? {};
    expect(note).toBe("not here: pictures (1)");
    expect(text).toMatch(/^\[Page 1, shown as a picture below\]\nScanned by an app\n\n\[Page 2, shown/);
    expect(text).toMatch(
      /\[Page 3, pictures not here: 1\]\nLetter with a logo\n\n\[Page 4\]\nA text on patterned paper/,
    );
    const inParts = await understand(pdf, { partTokens: 20_000 });
    expect(inParts.pagesToShow?.map(({ page }) => page)).toEqual([1, 2]);
    const unseen = await understand(pdf, { model: "o3-mini" });
    expect(unseen.extraction).toMatchObject({ skipped: { pages: 2, pageNumbers: "1-2", pagesReason: "model" } });
  });

  it("of pictures alone is shown as far as the window goes, and says what is missing", async () => {
    const pdf = scannedPdf(Array.from({ length: 22 }, () => ({ scan: SCAN, box: "0 400 60 440" })));
    const { parts, extraction } = await understand(pdf);
    expect(parts.filter(({ type }) => type === "image")).toHaveLength(20);
    expect(extraction).toMatchObject({
      pages: 22,
      picturePages: 20,
      skipped: { pages: 2, pageNumbers: "21-22", pagesReason: "limit" },
    });
    const small = await understand(pdf, { maxTokens: 6_000 });
    expect(small.extraction).toMatchObject({ picturePages: 2, skipped: { pages: 20, pagesReason: "limit" } });
    expect(small.extraction.tokens).toBeLessThan(6_000);
  });

  it("shows the pages behind empty ones, however many these are", async () => {
    const pdf = scannedPdf(Array.from({ length: 40 }, (_, index) => (index < 30 ? {} : { scan: SCAN })));
    const { extraction } = await understand(pdf);
    expect(extraction).toMatchObject({ picturePages: 10, picturePageNumbers: "31-40" });
    expect(extraction).not.toHaveProperty("skipped");
  });

  it("whose text alone is too long has no pages drawn when it is read in parts afterwards", async () => {
    const pdf = scannedPdf([{ text: "Words. ".repeat(12) }, { text: "Words. ".repeat(12) }, { scan: SCAN }]);
    const first = await understand(pdf, { maxTokens: 2_560, isFirstLook: true });
    expect(first.parts).toHaveLength(1);
    expect(first.extraction).toMatchObject({ skipped: { pages: 1, pageNumbers: "3", pagesReason: "limit" } });
    const alone = await understand(pdf, { maxTokens: 2_560 });
    expect(alone.extraction).toMatchObject({ picturePages: 1 });
  });

  it("of pictures alone for which the window has no room is refused, unless it is read in parts", async () => {
    const pdf = scannedPdf([{ scan: SCAN }]);
    expect((await understand(pdf, { maxTokens: 1_000 })).refusal).toMatchObject({ code: "UNSUPPORTED_FILE" });
    expect(await failure(understand(pdf, { partTokens: 2_000 }))).toMatchObject({ code: "UNSUPPORTED_FILE" });
    const { pagesToShow, refusal } = await understand(pdf, { partTokens: 5_000 });
    expect(pagesToShow?.map(({ page }) => page)).toEqual([1]);
    expect(refusal).toBeUndefined();
  });

  it("that is read in parts has its pages named, not drawn, up to a bound that is said", async () => {
    const pdf = scannedPdf(
      Array.from({ length: 1_003 }, (_, index) => (index === 1 ? { text: "Two" } : { scan: SCAN })),
    );
    const { parts, pagesToShow, extraction } = await understand(pdf, { partTokens: 20_000 });
    expect(parts).toHaveLength(1);
    expect(pagesToShow).toHaveLength(1_000);
    expect(extraction).toMatchObject({ skipped: { pages: 2, pageNumbers: "1002-1003", pagesReason: "limit" } });
    expect(extraction).not.toHaveProperty("picturePages");
    const block = splitBlocks(parts[0]?.type === "text" ? parts[0].text : "").blocks[0];
    expect(block?.text).toMatch(/^\[Page 1, without text\]\n\n\[Page 2\]\nTwo\n\n\[Page 3, without text\]/);
    expect(block?.note).toBe("not here: pages without text (2)");
  });

  it("that is quoted for one call need not be looked at again to be quoted in parts", async () => {
    const pdf = scannedPdf(Array.from({ length: 30 }, () => ({ scan: SCAN })));
    const { seenPages } = await understand(pdf, { isQuote: true });
    expect(seenPages?.map(({ page }) => page)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    // As no look would say it.
    const known = [{ page: 7, likelihood: 0.25, tokens: 123 }];
    const { pagesToShow } = await understand(pdf, { isQuote: true, partTokens: 20_000, seenPages: known });
    expect(pagesToShow).toEqual(known);
  });

  it("of pictures alone is quoted by what they will be, without being sent", async () => {
    const pdf = scannedPdf([
      { scan: SCAN },
      {},
      { scan: SCAN, box: "0 400 100 440" },
      { scan: { ...SCAN, isWhite: true } },
    ]);
    const quoted = await understand(pdf, { isQuote: true });
    expect(quoted.parts).toHaveLength(1);
    expect(quoted.extraction).toMatchObject({ picturePages: 2, picturePageNumbers: "1, 3" });
    const { extraction } = await understand(pdf);
    expect(quoted.extraction.picturePageNumbers).toBe(extraction.picturePageNumbers);
    expect(Math.abs(quoted.extraction.tokens - extraction.tokens)).toBeLessThanOrEqual(2);
  });

  it("that is read in parts is refused when nothing is on any of its pages", async () => {
    const error = await failure(understand(scannedPdf([{}, {}]), { partTokens: 20_000 }));
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: "The pages of the PDF are empty." });
  });

  it("is not shown to a model that takes no pictures, and says so", async () => {
    const { parts, extraction } = await understand(scannedPdf([{ text: "Cover" }, { scan: SCAN }]), {
      model: "o3-mini",
    });
    expect(splitBlocks(parts[0]?.type === "text" ? parts[0].text : "").blocks[0]?.note).toMatch(
      /pages without text \(1\)/,
    );
    expect(extraction).toMatchObject({ skipped: { pages: 1, pagesReason: "model" } });
    expect(await failure(understand(scannedPdf([{ scan: SCAN }]), { model: "o3-mini" }))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/takes no pictures/),
    });
  });

  it("with nothing on its pages, or with what cannot be drawn, says so", async () => {
    expect(await failure(understand(textPdf(["", ""])))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/are empty/),
    });
    const unknown = fontPdf("BT /F1 12 Tf 72 700 Td <9999> Tj ET", asianFont("Nobodys-H", "Japan1"));
    expect(await failure(understand(unknown))).toMatchObject({ message: expect.stringMatching(/could not be drawn/) });
    const huge = scannedPdf([{ scan: { width: 50_000, height: 50_000 } }]);
    expect(await failure(understand(huge))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/could not be drawn/),
    });
  });

  it("that is broken is refused", async () => {
    expect(await failure(understand("%PDF-1.7\nnot really"))).toMatchObject({ code: "UNSUPPORTED_FILE" });
  });
});

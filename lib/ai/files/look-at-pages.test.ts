import { describe, expect, it } from "vitest";
import { lookAtPages } from "@/lib/ai/files/look-at-pages";
import { endlessPdf, type ScannedPage, scannedPdf } from "@/lib/ai/files/sample-pdf";
import { PAGE_PICTURE_TOKENS } from "@/lib/domain/page-pictures";

const SCAN: ScannedPage = { scan: { width: 60, height: 80 } };
const WHITE_SCAN: ScannedPage = { scan: { width: 60, height: 80, isWhite: true } };
const DRAWING: ScannedPage = { content: "0 0 100 100 re f" };

const pagesOf = (count: number, pageOf: (page: number) => ScannedPage) =>
  Array.from({ length: count }, (_, index) => pageOf(index + 1));
const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("lookAtPages", () => {
  it("leaves out pages on which nothing is, and keeps scans and drawings", async () => {
    const pdf = scannedPdf([SCAN, {}, DRAWING, { content: "1 1 1 rg 0 0 595 842 re f" }, SCAN]);
    const seen = await lookAtPages("a.pdf", pdf, numbersTo(5));
    expect(seen.pages).toEqual([1, 3, 5]);
    expect(seen.tokensEach).toBeGreaterThan(2_000);
    expect(seen.tokensEach).toBeLessThanOrEqual(PAGE_PICTURE_TOKENS);
  });

  it("looks at no other pages than it is asked about", async () => {
    const { pages } = await lookAtPages("a.pdf", scannedPdf([SCAN, {}, SCAN, {}, SCAN]), [2, 3]);
    expect(pages).toEqual([3]);
  });

  it("weighs a small page as the small picture it becomes", async () => {
    const { tokensEach } = await lookAtPages("a.pdf", scannedPdf([{ ...SCAN, box: "0 400 100 440" }]), [1]);
    expect(tokensEach).toBeGreaterThan(50);
    expect(tokensEach).toBeLessThan(150);
  });

  it("leaves out a few scans of empty pages, and of many takes the share that a sample shows", async () => {
    const few = await lookAtPages("a.pdf", scannedPdf([WHITE_SCAN, SCAN, WHITE_SCAN]), numbersTo(3));
    expect(few.pages).toEqual([2]);
    // The backs of sheets: every second page.
    const pdf = scannedPdf(pagesOf(61, (page) => (page % 2 === 0 ? WHITE_SCAN : SCAN)));
    const { pages, tokensEach } = await lookAtPages("a.pdf", pdf, numbersTo(61));
    expect(pages).toEqual(expect.arrayContaining(numbersTo(61).filter((page) => page % 2 === 1)));
    const real = 31 * 2_400;
    expect(pages.length * tokensEach).toBeGreaterThan(real / 2);
    expect(pages.length * tokensEach).toBeLessThan(real * 2);
  });

  it("counts nothing for what cannot be drawn, but keeps it, so that drawing can say so", async () => {
    const broken = { scan: { width: 50_000, height: 50_000 } };
    const { pages, tokensEach } = await lookAtPages("a.pdf", scannedPdf([broken, broken]), [1, 2]);
    expect({ pages, tokensEach }).toEqual({ pages: [1, 2], tokensEach: 0 });
  });

  it("keeps pages that it did not reach, as heavy as those it saw", async () => {
    const { pages, tokensEach } = await lookAtPages("a.pdf", endlessPdf(), [1, 2], { deadlineMs: 4_000 });
    expect(pages).toEqual([1, 2]);
    expect(tokensEach).toBeGreaterThan(2_000);
  });

  it("takes a document that it cannot look at as full of pictures", async () => {
    const seen = await lookAtPages("a.pdf", Buffer.from("%PDF-1.7 broken"), [1, 2, 3]);
    expect(seen).toEqual({ pages: [1, 2, 3], tokensEach: PAGE_PICTURE_TOKENS });
  });

  it("ends with the signal's own reason", async () => {
    const abort = new AbortController();
    const reason = new Error("canceled");
    const looking = lookAtPages("a.pdf", endlessPdf(), [2], { signal: abort.signal });
    abort.abort(reason);
    await expect(looking).rejects.toBe(reason);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { likelyPictures, likelyTokens, lookAtPages } from "@/lib/ai/files/pages/look-at-pages";
import { endlessPdf, type ScannedPage, scannedPdf } from "@/lib/ai/files/samples/sample-pdf";
import { type ScanFormat, type SheetLook, scanImage } from "@/lib/ai/files/samples/sample-scan-image";
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
    expect(seen.map(({ page, likelihood }) => [page, likelihood])).toEqual([1, 3, 5].map((page) => [page, 1]));
    for (const { tokens } of seen) {
      expect(tokens).toBeGreaterThan(2_000);
      expect(tokens).toBeLessThanOrEqual(PAGE_PICTURE_TOKENS);
    }
  });

  it("looks at no other pages than it is asked about", async () => {
    const seen = await lookAtPages("a.pdf", scannedPdf([SCAN, {}, SCAN, {}, SCAN]), [2, 3]);
    expect(seen.map(({ page }) => page)).toEqual([3]);
  });

  it("weighs a small page as the small picture it becomes", async () => {
    const pdf = scannedPdf([{ ...SCAN, box: "0 400 100 440" }, SCAN]);
    const [small, large] = await lookAtPages("a.pdf", pdf, [1, 2]);
    expect(small?.tokens).toBeGreaterThan(50);
    expect(small?.tokens).toBeLessThan(150);
    expect(large?.tokens).toBeGreaterThan(2_000);
  });

  it("counts nothing for what cannot be drawn, but keeps it, so that drawing can say so", async () => {
    const broken = { scan: { width: 50_000, height: 50_000 } };
    const seen = await lookAtPages("a.pdf", scannedPdf([broken, broken]), [1, 2]);
    expect(seen.map(({ page }) => page)).toEqual([1, 2]);
    expect(likelyTokens(seen)).toBe(0);
  });

  it("keeps pages that it did not reach, as heavy as those it saw", async () => {
    const seen = await lookAtPages("a.pdf", endlessPdf(), [1, 2], { deadlineMs: 4_000 });
    expect(seen.map(({ page }) => page)).toEqual([1, 2]);
    expect(likelyTokens(seen)).toBeGreaterThan(4_000);
  });

  it("takes a document that it cannot look at as full of pictures", async () => {
    const seen = await lookAtPages("a.pdf", Buffer.from("%PDF-1.7 broken"), [1, 2]);
    expect(seen).toEqual([1, 2].map((page) => ({ page, likelihood: 1, tokens: PAGE_PICTURE_TOKENS })));
  });

  it("ends with the signal's own reason", async () => {
    const abort = new AbortController();
    const reason = new Error("canceled");
    const looking = lookAtPages("a.pdf", endlessPdf(), [2], { signal: abort.signal });
    abort.abort(reason);
    await expect(looking).rejects.toBe(reason);
  });
});

describe("lookAtPages, of scans among which are empty ones", () => {
  const FORMATS: ScanFormat[] = ["flate", "jpeg", "fax"];
  /** Small, so that drawing them is quick. */
  const BOX = "0 200 120 640";
  let sheets: Map<string, ScannedPage>;

  beforeAll(() => {
    sheets = new Map();
    for (const format of FORMATS) {
      for (let seed = 0; seed < 10; seed++) {
        for (const look of ["white", "noisy", "written"] as const) {
          sheets.set(`${format} ${look} ${seed}`, { box: BOX, scan: { image: scanImage(format, look, { seed }) } });
        }
      }
    }
  });

  const sheet = (format: ScanFormat, look: SheetLook, seed: number) =>
    sheets.get(`${format} ${look} ${seed % 10}`) ?? {};

  const FEW = new Set([3, 77, 78, 140, 181]);
  const KINDS: [name: string, lookOf: (page: number) => SheetLook][] = [
    ["few written", (page) => (FEW.has(page) ? "written" : "white")],
    ["few white", (page) => (FEW.has(page) ? "white" : "written")],
    ["the first ten written", (page) => (page <= 10 ? "written" : "white")],
    ["the backs of sheets white", (page) => (page % 2 === 0 ? "white" : "written")],
    [
      "few written, noisy paper, few white",
      (page) => (FEW.has(page) ? "written" : page % 40 === 0 ? "white" : "noisy"),
    ],
    ["one written", (page) => (page === 150 ? "written" : "white")],
  ];

  it.each(FORMATS.flatMap((format) => KINDS.map(([name, lookOf]) => ({ format, name, lookOf }))))(
    "knows almost every one of hundreds: $format, $name",
    async ({ format, lookOf }) => {
      const pdf = scannedPdf(pagesOf(200, (page) => sheet(format, lookOf(page), page)));
      const seen = await lookAtPages("a.pdf", pdf, numbersTo(200));
      const shown = numbersTo(200).filter((page) => lookOf(page) !== "white");
      const likely = seen.flatMap(({ page, likelihood }) => (likelihood > 0.5 ? [page] : []));
      expect(likely).toEqual(shown);
      expect(likelyPictures(seen)).toBe(shown.length);
    },
  );

  it("is not misled by paper of several sizes", async () => {
    const lookOf = (page: number) => (page % 7 === 0 ? "written" : "white");
    const boxOf = (page: number) => (page % 3 === 0 ? "0 380 60 460" : BOX);
    const pages = pagesOf(120, (page) => ({ ...sheet("jpeg", lookOf(page), page), box: boxOf(page) }));
    const seen = await lookAtPages("a.pdf", scannedPdf(pages), numbersTo(120));
    const real = seen.filter(({ page }) => lookOf(page) === "written");
    const tokens = real.reduce((sum, page) => sum + page.tokens, 0);
    expect(likelyTokens(seen)).toBeGreaterThan(tokens / 1.5);
    expect(likelyTokens(seen)).toBeLessThan(tokens * 1.5);
  });

  it("takes the share of a sample where pages share all that they hold, so that none can be weighed alone", async () => {
    const images = numbersTo(60).map((page) =>
      scanImage("flate", page % 2 === 0 ? "white" : "written", { seed: page }),
    );
    const pages = images.map((_, index) => ({ box: BOX, content: `q 595 0 0 842 0 0 cm /X${index} Do Q` }));
    const seen = await lookAtPages("a.pdf", scannedPdf(pages, images), numbersTo(60));
    expect(likelyPictures(seen)).toBe(30);
    expect(seen.map(({ likelihood }) => likelihood)).toContain(0.5);
  });

  it("samples more of these where most of them are empty", async () => {
    const isWritten = (page: number) => [1, 5, 20].includes(page % 25);
    const images = numbersTo(200).map((page) =>
      scanImage("flate", isWritten(page) ? "written" : "white", { seed: page }),
    );
    const pages = images.map((_, index) => ({ box: BOX, content: `q 595 0 0 842 0 0 cm /X${index} Do Q` }));
    const seen = await lookAtPages("a.pdf", scannedPdf(pages, images), numbersTo(200));
    const written = numbersTo(200).filter(isWritten).length;
    expect(likelyPictures(seen)).toBeGreaterThan(written / 2);
    expect(likelyPictures(seen)).toBeLessThan(written * 2);
  });

  it("counts none of many that cannot be drawn", async () => {
    const broken = { scan: { width: 50_000, height: 50_000 } };
    const seen = await lookAtPages(
      "a.pdf",
      scannedPdf(pagesOf(60, (page) => (page % 2 ? broken : WHITE_SCAN))),
      numbersTo(60),
    );
    expect(likelyPictures(seen)).toBe(0);
    expect(seen.map(({ page }) => page)).toEqual(expect.arrayContaining(numbersTo(60).filter((page) => page % 2)));
  });

  it("draws all of a few", async () => {
    const seen = await lookAtPages("a.pdf", scannedPdf([WHITE_SCAN, SCAN, WHITE_SCAN]), numbersTo(3));
    expect(seen).toMatchObject([{ page: 2, likelihood: 1 }]);
  });
});

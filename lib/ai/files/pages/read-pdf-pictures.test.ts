import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { type PagePicture, readPdfPictures, readPdfPicturesInRuns } from "@/lib/ai/files/pages/read-pdf-pictures";
import { greyJpeg2000 } from "@/lib/ai/files/samples/sample-fax";
import { endlessPdf, scannedPdf } from "@/lib/ai/files/samples/sample-pdf";
import { type ScanFormat, scanImage } from "@/lib/ai/files/samples/sample-scan-image";

const SCAN = { width: 60, height: 80 };

/** How bright places of a picture are, from 0 to 255; each is a share of its width and one of its height. */
async function brightnessAt(picture: PagePicture | undefined, places: [number, number][]): Promise<number[]> {
  if (!picture) throw new Error("no picture");
  const { width, height, bytes } = picture;
  const context = createCanvas(width, height).getContext("2d");
  context.drawImage(await loadImage(Buffer.from(bytes)), 0, 0);
  return places.map(
    ([x, y]) => context.getImageData(Math.floor(width * x), Math.floor(height * y), 1, 1).data[0] ?? -1,
  );
}

/** The middles of the upper and the lower half. */
const halvesOf = (picture: PagePicture | undefined) =>
  brightnessAt(picture, [
    [0.5, 0.25],
    [0.5, 0.75],
  ]);

describe("readPdfPictures", () => {
  it("draws the pages it is asked for, so that what is on them can be seen", async () => {
    const pdf = scannedPdf([{ text: "Cover" }, { scan: SCAN }, { scan: SCAN }]);
    const { pictures, blankPages } = await readPdfPictures(pdf, [2, 3]);
    expect(pictures.map(({ page }) => page)).toEqual([2, 3]);
    expect(blankPages).toEqual([]);
    const [upper = 255, lower = 0] = await halvesOf(pictures[1]);
    expect(upper).toBeLessThan(30);
    expect(lower).toBeGreaterThan(225);
  });

  it.each<ScanFormat>(["flate", "jpeg", "fax", "jbig2"])("draws scans as they are packed: %s", async (format) => {
    const pdf = scannedPdf([
      { scan: { image: scanImage(format, "written", { seed: 3 }) } },
      { scan: { image: scanImage(format, "white") } },
    ]);
    const { pictures, blankPages, brokenPages } = await readPdfPictures(pdf, [1, 2]);
    expect(pictures.map(({ page }) => page)).toEqual([1]);
    expect({ blankPages, brokenPages }).toEqual({ blankPages: [2], brokenPages: [] });
  });

  it("draws text in standard fonts that the document does not bring along, whatever the machine has", async () => {
    const dingbats = "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>";
    const form = {
      dictionary: `/Type /XObject /Subtype /Form /BBox [0 600 200 800] /Resources << /Font << /F1 ${dingbats} >> >>`,
      data: Buffer.from("BT /F1 100 Tf 50 650 Td (n) Tj ET"),
    };
    const { pictures } = await readPdfPictures(scannedPdf([{ box: "0 600 200 800", content: "/X0 Do" }], [form]), [1]);
    // The square stands on its line, 69 points high; those of other fonts reach below it.
    const inkAt = await brightnessAt(pictures[0], [
      [0.44, 0.56],
      [0.44, 0.79],
      [0.44, 0.36],
    ]);
    expect(inkAt).toEqual([0, 255, 255]);
  });

  it("unpacks JPEG 2000", async () => {
    const image = `/Type /XObject /Subtype /Image /Width 64 /Height 80 /ColorSpace /DeviceGray /BitsPerComponent 8`;
    const data = greyJpeg2000(64, 80);
    const pdf = scannedPdf([
      // Half of the page, so that grey can be told from white.
      { scan: { image: { dictionary: `${image} /Filter /JPXDecode`, data } }, box: "0 0 595 1684" },
    ]);
    const { pictures } = await readPdfPictures(pdf, [1]);
    const [white = 0, grey = 0] = await halvesOf(pictures[0]);
    expect(white).toBe(255);
    expect(grey).toBeGreaterThan(110);
    expect(grey).toBeLessThan(150);
  });

  it("does not unpack what is larger than it says", async () => {
    const image = `/Type /XObject /Subtype /Image /Width 64 /Height 80 /ColorSpace /DeviceGray /BitsPerComponent 8`;
    const huge = { image: { dictionary: `${image} /Filter /JPXDecode`, data: greyJpeg2000(60_000, 60_000) } };
    const { pictures, brokenPages } = await readPdfPictures(scannedPdf([{ scan: huge }, { scan: SCAN }]), [1, 2]);
    expect(brokenPages).toEqual([1]);
    expect(pictures.map(({ page }) => page)).toEqual([2]);
  });

  it("tells empty pages from those that it could not draw", async () => {
    const pdf = scannedPdf([{}, { scan: { width: 50_000, height: 50_000 } }, { scan: SCAN }]);
    const { pictures, blankPages } = await readPdfPictures(pdf, [1, 2, 3, 99]);
    expect(blankPages).toEqual([1]);
    expect(pictures.map(({ page }) => page)).toEqual([3]);
  });

  it.each([
    "0 0 1000000000 1000000000",
    "0 0 1000000000 1",
    "0 0 0.001 900",
    "0 0 14400 14400",
    "-500000 -500000 500000 500000",
    "0 0 0 0",
    "0 0 1e300 1e300",
  ])("makes no more pixels of a page that says it is [%s]", async (box) => {
    const { pictures } = await readPdfPictures(
      scannedPdf([{ content: "0 0 100 100 re f", box }, { scan: SCAN }]),
      [1, 2],
    );
    for (const { width, height } of pictures) {
      expect(width * height).toBeLessThanOrEqual(1_500_000);
      expect(Math.max(width, height)).toBeLessThanOrEqual(2_048);
    }
    expect(pictures.at(-1)?.page).toBe(2);
  });

  it("keeps the pages before one that is without end", async () => {
    const { pictures } = await readPdfPictures(endlessPdf(), [1, 2], { deadlineMs: 6_000 });
    expect(pictures.map(({ page }) => page)).toEqual([1]);
  });

  it("draws in several runs only as long as each gets on", async () => {
    const startedAt = performance.now();
    const { pictures, blankPages, brokenPages } = await readPdfPicturesInRuns(endlessPdf(), [1, 2], {
      deadlineMs: 6_000,
    });
    expect(pictures.map(({ page }) => page)).toEqual([1]);
    expect([...blankPages, ...brokenPages]).toEqual([]);
    expect(performance.now() - startedAt).toBeGreaterThan(11_000);
  });

  it("makes the same bytes of a page every time, whatever else is drawn with it", async () => {
    const pdf = scannedPdf([{ scan: SCAN }, {}, { scan: { width: 50_000, height: 50_000 } }, { scan: SCAN }]);
    const once = await readPdfPictures(pdf, [1, 2, 3, 4]);
    const again = await readPdfPictures(async () => pdf, [1, 4]);
    expect(again.pictures).toEqual(once.pictures);
    expect(once.brokenPages).toEqual([3]);
  });

  it("stops at as many pictures as are wanted", async () => {
    const { pictures } = await readPdfPictures(scannedPdf([{}, { scan: SCAN }, { scan: SCAN }]), [1, 2, 3], {
      maxPictures: 1,
    });
    expect(pictures.map(({ page }) => page)).toEqual([2]);
  });

  it("ends with the signal's own reason", async () => {
    const abort = new AbortController();
    const reason = new Error("canceled");
    const drawing = readPdfPictures(endlessPdf(), [2], { deadlineMs: 3_600_000, signal: abort.signal });
    abort.abort(reason);
    await expect(drawing).rejects.toBe(reason);
  });
});

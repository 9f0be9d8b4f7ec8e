import { describe, expect, it } from "vitest";
import { readPdfPictures } from "@/lib/ai/files/pages/read-pdf-pictures";
import { tiffFrames } from "@/lib/ai/files/pages/tiff-frames.mjs";
import { readImageSize } from "@/lib/ai/files/pictures/read-image-size";
import { faxPage, halfBlackPage, sampleTiff, whitePage } from "@/lib/ai/files/samples/sample-tiff";
import { colourAt, refusalOf, understandSample as understand } from "@/lib/ai/files/samples/sample-understand";

describe("the pages of a TIFF", () => {
  it.each([
    ["II", false],
    ["MM", false],
    ["II", true],
    ["MM", true],
  ] as const)("are told by its directories, of either order of bytes and however large: %s, %s", (endian, isBig) => {
    const pages = [faxPage(80, { resolution: [204, 98] }), halfBlackPage(60, 40, { orientation: 6 })];
    expect(tiffFrames(sampleTiff(pages, { endian, isBig }))).toEqual([
      { index: 0, width: 64, height: 80, orientation: 1, stretch: 204 / 98 },
      { index: 1, width: 60, height: 40, orientation: 6, stretch: 1 },
    ]);
  });

  it("are without small copies of them, unless there is nothing else", () => {
    const [copy, page] = [halfBlackPage(6, 4, { newKind: 1 }), halfBlackPage(60, 40, { newKind: 2 })];
    expect(tiffFrames(sampleTiff([copy, page])).map(({ index }) => index)).toEqual([1]);
    expect(tiffFrames(sampleTiff([copy])).map(({ index }) => index)).toEqual([0]);
  });

  it("end where the file does, and where it leads back to its start", () => {
    const whole = sampleTiff([faxPage(), faxPage(), faxPage()]);
    const counts = Array.from(whole, (_, length) => tiffFrames(whole.subarray(0, Math.max(8, length))).length);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(tiffFrames(sampleTiff([faxPage(), faxPage()], { endsAt: "start" }))).toHaveLength(2);
  });

  it("are told at once, however much of what they name is not there", () => {
    const tiff = tiffOfNothing(1_000);
    const { user } = process.cpuUsage();
    expect(tiffFrames(tiff)).toHaveLength(1_000);
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });

  it("have square pixels where what is said of theirs makes no sense", () => {
    for (const resolution of [
      [0, 0],
      [1, 4_000_000_000],
      [0, 300],
    ] as const) {
      expect(tiffFrames(sampleTiff([faxPage(80, { resolution })]))).toMatchObject([{ stretch: 1 }]);
    }
  });
});

describe("pictures of a TIFF's pages", () => {
  it("are drawn upright, and those of a coarse fax as high as the paper was", async () => {
    const turned = [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => halfBlackPage(60, 40, { orientation }));
    const fax = faxPage(80, { resolution: [204, 102] });
    const numbers = [...turned, fax].map((_, index) => index + 1);
    const { pictures } = await readPdfPictures(sampleTiff([...turned, fax]), numbers);
    expect(pictures.map(({ page, width, height }) => [page, width, height])).toEqual([
      ...[1, 2, 3, 4].map((page) => [page, 60, 40]),
      ...[5, 6, 7, 8].map((page) => [page, 40, 60]),
      [9, 64, 160],
    ]);
    // Where the half that is stored on the left comes to lie, by the tag's definition.
    const sides = ["left", "right", "right", "left", "top", "top", "bottom", "bottom"];
    expect(await Promise.all(pictures.slice(0, 8).map(({ bytes }) => darkSideOf(bytes)))).toEqual(sides);
  });

  it("are left out where nothing is on a page, and where it cannot be unpacked", async () => {
    const broken = { ...halfBlackPage(), data: new Uint8Array(7) };
    const tiff = sampleTiff([whitePage(), halfBlackPage(), halfBlackPage(20_000, 1), broken]);
    const { pictures, blankPages, brokenPages } = await readPdfPictures(tiff, [1, 2, 3, 4, 5]);
    expect(pictures.map(({ page, width }) => [page, width])).toEqual([
      [2, 60],
      [3, 2_048],
    ]);
    expect(blankPages).toEqual([1]);
    expect(brokenPages).toEqual([4, 5]);
  });
});

describe("a TIFF", () => {
  it("goes to the model as the pictures of its pages, empty ones left out, and is quoted so", async () => {
    const tiff = sampleTiff([faxPage(), whitePage(), halfBlackPage()]);
    const file = await understand(tiff, { name: "fax.pdf" });
    expect(file.parts.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([
      expect.stringMatching(
        /name="fax.pdf" kind="tiff"[\s\S]*\[Page 1, shown as a picture below\]\s+\[Page 2\]\s+\[Page 3, shown/,
      ),
      expect.stringMatching(/The picture of page 1 follows/),
      "image",
      expect.stringMatching(/The picture of page 3 follows/),
      "image",
    ]);
    expect(file.extraction).toMatchObject({ kind: "tiff", pages: 3, picturePages: 2, picturePageNumbers: "1, 3" });
    const quoted = await understand(tiff, { name: "fax.pdf", isQuote: true });
    expect(quoted.parts).toHaveLength(1);
    expect(quoted.extraction).toMatchObject({ picturePages: 2, picturePageNumbers: "1, 3" });
    expect(Math.abs(quoted.extraction.tokens - file.extraction.tokens)).toBeLessThanOrEqual(2);
  });

  it("of more pages than one request takes names those that are shown in parts", async () => {
    const tiff = sampleTiff(Array.from({ length: 30 }, () => faxPage()));
    const first = await understand(tiff);
    expect(first.extraction).toMatchObject({
      picturePages: 20,
      skipped: { pagesReason: "limit", pageNumbers: "21-30" },
    });
    const { pagesToShow } = await understand(tiff, { partTokens: 20_000 });
    expect(pagesToShow?.map(({ page }) => page)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  it.each([
    ["without a page", Buffer.from("II*\0\x08\0\0\0\0\0", "latin1"), "The TIFF is damaged and could not be read."],
    ["of empty pages", sampleTiff([whitePage()]), "The pages of the TIFF are empty."],
    [
      "whose pages are damaged",
      sampleTiff([{ ...halfBlackPage(), data: new Uint8Array(7) }]),
      "The TIFF holds no text, and its pages could not be drawn.",
    ],
  ])("%s is refused, and why is said", async (_name, bytes, message) => {
    expect(await refusalOf(understand(bytes))).toMatchObject({ code: "UNSUPPORTED_FILE", message });
  });

  it("is refused where the model takes no pictures", async () => {
    expect(await refusalOf(understand(sampleTiff([faxPage()]), { model: "o3-mini" }))).toMatchObject({
      message: "The TIFF holds no text, only pictures of pages, and the project's model takes no pictures.",
    });
  });
});

async function darkSideOf(picture: Uint8Array): Promise<string | undefined> {
  const { width, height } = readImageSize(picture) ?? expect.fail("no picture");
  const isDark = async (x: number, y: number) => ((await colourAt(picture, x, y))[0] ?? 255) < 60;
  const [right, bottom] = [width - 3, height - 3];
  const sides = [
    ["left", 2, 2, 2, bottom],
    ["right", right, 2, right, bottom],
    ["top", 2, 2, right, 2],
    ["bottom", 2, bottom, right, bottom],
  ] as const;
  for (const [side, ax, ay, bx, by] of sides) if ((await isDark(ax, ay)) && (await isDark(bx, by))) return side;
  return undefined;
}

/** Pages of a thousand tags: its size, and resolutions that stand behind the end of the file. */
function tiffOfNothing(pages: number): Buffer {
  const tags = Array.from({ length: 1_000 }, (_, nth) =>
    nth < 2 ? [256 + nth, LONG, 1, 9] : [282, RATIONAL, 1, 0xfffffff0],
  ) as [id: number, type: number, count: number, value: number][];
  const length = 2 + tags.length * 12 + 4;
  const tiff = Buffer.alloc(8 + pages * length);
  tiff.write("II*\0", "latin1");
  for (let page = 0, at = 8; page < pages; page++, at += length) {
    tiff.writeUInt32LE(at, page === 0 ? 4 : at - 4);
    tiff.writeUInt16LE(tags.length, at);
    for (const [nth, [id, type, count, value]] of tags.entries()) {
      const tag = at + 2 + nth * 12;
      tiff.writeUInt16LE(id, tag);
      tiff.writeUInt16LE(type, tag + 2);
      tiff.writeUInt32LE(count, tag + 4);
      tiff.writeUInt32LE(value, tag + 8);
    }
  }
  return tiff;
}

const [LONG, RATIONAL] = [4, 5];

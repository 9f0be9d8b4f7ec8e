import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { sampleAvif, sampleBmp, sampleHeic } from "@/lib/ai/files/samples/sample-foreign-image";
import { cameraNote, sampleImage, samplePhoto } from "@/lib/ai/files/samples/sample-image";
import {
  colourAt,
  refusalOf as failure,
  picturesOf,
  understandSample as understand,
} from "@/lib/ai/files/samples/sample-understand";

const MEGABYTE = 1024 * 1024;

describe("a picture", () => {
  it.each(["png", "jpeg", "gif", "webp"] as const)("goes to the model as it is: %s", async (format) => {
    const bytes = sampleImage(format, 40, 30);
    const file = await understand(bytes, { name: "photo.dat" });
    expect(file.kind).toBe("image");
    expect(file.parts).toEqual([
      { type: "text", text: expect.stringMatching(/name="photo.dat" kind="image"[\s\S]*40 × 30 pixels/) },
      { type: "image", mediaType: `image/${format}`, bytes: expect.anything() },
    ]);
    const [, image] = file.parts;
    expect(image?.type === "image" && Buffer.compare(image.bytes, bytes)).toBe(0);
    expect(file.extraction).toMatchObject({ kind: "image", width: 40, height: 30 });
  });

  it("that a camera took on its side is upright, and as it is where it cannot be turned", async () => {
    for (const endian of ["II", "MM"] as const) {
      const photo = samplePhoto(6, endian);
      const file = await understand(photo);
      expect(file.extraction).toMatchObject({ width: 20, height: 40 });
      expect((await understand(photo, { isQuote: true })).extraction).toEqual(file.extraction);
      // Red, which the camera saw on the left, is above.
      const [picture = photo] = picturesOf(file);
      expect((await colourAt(picture, 10, 5))[0]).toBeGreaterThan(200);
      expect((await colourAt(picture, 10, 35))[0]).toBeLessThan(50);
    }
    const [start, rest] = [sampleImage("jpeg", 40, 30).subarray(0, 2), sampleImage("jpeg", 40, 30).subarray(2)];
    const broken = Buffer.concat([start, cameraNote(6, "MM"), rest]);
    for (const bytes of [samplePhoto(1), broken]) {
      const [, image] = (await understand(bytes)).parts;
      expect(image?.type === "image" && Buffer.compare(image.bytes, bytes)).toBe(0);
    }
  });

  it.each([2, 3, 4, 5, 6, 7, 8])("is turned as whoever shows photos turns it: held in way %d", async (orientation) => {
    const canvas = createCanvas(80, 40);
    const context = canvas.getContext("2d");
    for (const [index, colour] of ["red", "lime", "blue", "white"].entries()) {
      context.fillStyle = colour;
      context.fillRect((index % 2) * 40, Math.floor(index / 2) * 20, 40, 20);
    }
    const photo = canvas.toBuffer("image/jpeg");
    const held = Buffer.concat([photo.subarray(0, 2), cameraNote(orientation, "MM"), photo.subarray(2)]);
    const [picture = held] = picturesOf(await understand(held));
    const isOnItsSide = orientation > 4;
    const middles = [
      [20, 10],
      [60, 10],
      [20, 30],
      [60, 30],
    ].map(([x = 0, y = 0]) => (isOnItsSide ? ([y, x] as const) : ([x, y] as const)));
    for (const [x, y] of middles) {
      const [shown, expected] = [await colourAt(picture, x, y), await colourAt(held, x, y)];
      expect(shown.map((value) => Math.round(value / 64))).toEqual(expected.map((value) => Math.round(value / 64)));
    }
  });

  it.each(["png", "webp"] as const)(
    "is damaged, wherever a %s breaks off, and not when more comes behind it",
    async (format) => {
      const whole = sampleImage(format, 40, 30);
      for (let length = 40; length < whole.length; length++) {
        expect(await failure(understand(whole.subarray(0, length)))).toMatchObject({ code: "UNSUPPORTED_FILE" });
      }
      expect((await understand(Buffer.concat([whole, Buffer.from("more")]))).kind).toBe("image");
    },
  );

  it("is refused where the model takes none", async () => {
    expect(await failure(understand(sampleImage("png", 40, 30), { model: "o3-mini" }))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/takes no pictures/),
    });
  });

  it.each([
    ["too many pixels", 12_000, 10_000],
    ["too wide", 70_000, 10],
  ])("with %s is refused", async (_name, width, height) => {
    expect(await failure(understand(sampleImage("png", width, height)))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/pixels/),
    });
  });

  it("without a size is refused", async () => {
    expect(await failure(understand(sampleImage("gif", 0, 5)))).toMatchObject({ code: "UNSUPPORTED_FILE" });
  });

  it("that is cut off is refused", async () => {
    expect(await failure(understand(sampleImage("jpeg", 4, 4).subarray(0, 14)))).toMatchObject({
      code: "UNSUPPORTED_FILE",
    });
  });

  it("of more bytes than providers take is sent as a smaller JPEG, on white, and quoted by its size", async () => {
    const canvas = createCanvas(4_500, 1_500);
    const context = canvas.getContext("2d");
    context.fillStyle = "red";
    context.fillRect(0, 0, 2_000, 1_500);
    // A part of a file that says nothing of its picture.
    const bytes = Buffer.concat([canvas.toBuffer("image/png"), Buffer.alloc(21 * MEGABYTE)]);
    const file = await understand(bytes);
    expect(file.parts[1]).toMatchObject({ type: "image", mediaType: "image/jpeg" });
    expect(file.extraction).toMatchObject({ width: 4_096, height: 1_365 });
    const [picture = bytes] = picturesOf(file);
    expect(picture.byteLength).toBeLessThan(MEGABYTE);
    const [red, white] = [await colourAt(picture, 100, 100), await colourAt(picture, 4_000, 100)];
    expect([(red[1] ?? 255) < 60, (white[1] ?? 0) > 200]).toEqual([true, true]);
    expect((await understand(bytes, { isQuote: true })).extraction).toEqual(file.extraction);
  });

  it("of more pixels than models take is sent smaller, and quoted by its size", async () => {
    const bytes = createCanvas(12_000, 9_000).toBuffer("image/png");
    const file = await understand(bytes);
    expect(file.extraction).toMatchObject({ width: 4_096, height: 3_072 });
    expect(file.parts[1]).toMatchObject({ type: "image", mediaType: "image/jpeg" });
    expect((await understand(bytes, { isQuote: true })).extraction).toEqual(file.extraction);
  });

  it("of more bytes than providers take that cannot be drawn is refused", async () => {
    const bytes = Buffer.concat([sampleImage("png", 40, 40), Buffer.alloc(21 * MEGABYTE)]);
    expect(await failure(understand(bytes))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/damaged/),
    });
  });

  it.each([
    ["by the size it states", 65 * MEGABYTE, 0],
    ["by the bytes that come", 100, 65 * MEGABYTE],
  ])("of too many bytes is refused, %s", async (_name, size, padding) => {
    const bytes = Buffer.concat([sampleImage("png", 4, 4), Buffer.alloc(padding)]);
    expect(await failure(understand(bytes, { size }))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/64 MB/),
    });
  });
});

describe("a long picture", () => {
  const LONG = 4_000;

  /** Red at its beginning, blue at its end. */
  function longPicture(width: number, height: number) {
    const canvas = createCanvas(width, height);
    const context = canvas.getContext("2d");
    for (const [colour, place] of [
      ["red", 0],
      ["blue", 0.5],
    ] as const) {
      context.fillStyle = colour;
      context.fillRect(width > height ? width * place : 0, width > height ? 0 : height * place, width, height);
    }
    return canvas;
  }

  const isRed = async (picture: Uint8Array, x: number, y: number) => ((await colourAt(picture, x, y))[0] ?? 0) > 200;

  it("goes in pieces that the model can read, in their order, and is quoted so", async () => {
    const bytes = longPicture(400, LONG).toBuffer("image/png");
    const file = await understand(bytes, { name: "chat.png" });
    expect(file.parts).toEqual([
      {
        type: "text",
        text: expect.stringMatching(
          /name="chat.png"[\s\S]*400 × 4000 pixels follows in 5 pictures, from top to bottom;/,
        ),
      },
      ...Array(5).fill({ type: "image", mediaType: "image/jpeg", bytes: expect.anything() }),
    ]);
    expect(await Promise.all(picturesOf(file).map((picture) => isRed(picture, 200, 300)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(file.extraction).toMatchObject({ kind: "image", width: 400, height: LONG, pieces: 5 });
    // Letters that one picture would not show.
    expect(file.extraction.tokens).toBeGreaterThan(1_500);
    expect((await understand(bytes, { name: "chat.png", isQuote: true })).extraction).toEqual(file.extraction);
  });

  it("is cut upright, from what the camera saw on its side", async () => {
    const photo = longPicture(LONG, 400).toBuffer("image/jpeg");
    const bytes = Buffer.concat([photo.subarray(0, 2), cameraNote(6, "MM"), photo.subarray(2)]);
    const file = await understand(bytes);
    expect(file.extraction).toMatchObject({ width: 400, height: LONG, pieces: 5 });
    const [first = bytes, , , , last = bytes] = picturesOf(file);
    expect([await isRed(first, 200, 300), await isRed(last, 200, 300)]).toEqual([true, false]);
  });

  it("goes in fewer pieces where there is less room, and whole where there is none", async () => {
    const bytes = longPicture(400, LONG).toBuffer("image/png");
    expect((await understand(bytes, { maxPictures: 2 })).extraction).toMatchObject({ pieces: 2 });
    expect(picturesOf(await understand(bytes, { maxPictures: 2 }))).toHaveLength(2);
    const whole = await understand(bytes, { maxTokens: 3_000 });
    expect(picturesOf(whole)).toEqual([bytes]);
    expect(whole.extraction).not.toHaveProperty("pieces");
  });

  it("goes whole where it cannot be drawn", async () => {
    const bytes = sampleImage("png", 400, LONG);
    expect(picturesOf(await understand(bytes))).toEqual([bytes]);
  });

  it("of a kind that models do not take goes in pieces too", async () => {
    const bytes = sampleBmp(LONG, 40);
    const file = await understand(bytes);
    expect(picturesOf(file)).toHaveLength(file.extraction.pieces ?? 0);
    expect(file.extraction.pieces).toBeGreaterThan(2);
    expect((await understand(bytes, { isQuote: true })).extraction).toEqual(file.extraction);
  });
});

describe("a picture of a kind that models do not take", () => {
  it.each([
    ["HEIC", sampleHeic()],
    ["AVIF", sampleAvif()],
    ["a bitmap", sampleBmp()],
  ])("goes to them as a JPEG, and is quoted by its size: %s", async (_kind, bytes) => {
    const file = await understand(bytes, { name: "IMG_0042.HEIC" });
    expect(file.parts).toEqual([
      { type: "text", text: expect.stringMatching(/name="IMG_0042.HEIC" kind="image"[\s\S]*64 × 32 pixels/) },
      { type: "image", mediaType: "image/jpeg", bytes: expect.anything() },
    ]);
    const [picture = bytes] = picturesOf(file);
    expect(Buffer.from(picture.subarray(0, 2)).toString("hex")).toBe("ffd8");
    const [left, right] = [await colourAt(picture, 10, 10), await colourAt(picture, 50, 10)];
    expect([left[0], right[2]].map((value = 0) => value > 200)).toEqual([true, true]);
    expect([left[2], right[0]].map((value = 255) => value < 60)).toEqual([true, true]);
    expect((await understand(bytes, { name: "IMG_0042.HEIC", isQuote: true })).extraction).toEqual(file.extraction);
  });

  it("is damaged when it breaks off, and refused with too many pixels", async () => {
    const cut = [sampleHeic().subarray(0, -20), sampleBmp().subarray(0, 90)];
    const refusals = [
      ...cut.map((bytes) => understand(bytes)),
      understand(sampleHeic().subarray(0, 60), { isQuote: true }),
    ];
    for (const refusal of refusals) {
      expect(await failure(refusal)).toMatchObject({
        code: "UNSUPPORTED_FILE",
        message: expect.stringMatching(/damaged/),
      });
    }
    const huge = Buffer.from(sampleBmp());
    for (const at of [18, 22]) huge.writeInt32LE(10_000, at);
    expect(await failure(understand(huge))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/^The image has 10000 × 10000 pixels;/),
    });
  });

  it("is refused where the model takes no pictures", async () => {
    expect(await failure(understand(sampleHeic(), { model: "o3-mini" }))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/takes no pictures/),
    });
  });
});

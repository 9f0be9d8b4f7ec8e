import { describe, expect, it } from "vitest";
import { longestHoldMs } from "@/e2e/support/work-time";
import { isImageCutOff } from "@/lib/ai/files/pictures/is-image-cut-off";
import { readImageSize } from "@/lib/ai/files/pictures/read-image-size";
import { uprightSize } from "@/lib/ai/files/pictures/turn-upright";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";

const webp = (kind: string, ...body: number[]) =>
  Buffer.from([...Buffer.from(`RIFF\0\0\0\0WEBP${kind}`), 0, 0, 0, 0, ...body]);

describe("readImageSize", () => {
  it.each(["png", "jpeg", "gif", "webp"] as const)("reads %s", (format) => {
    expect(readImageSize(sampleImage(format, 640, 481))).toEqual({ width: 640, height: 481 });
  });

  it.each([
    ["lossless WebP", webp("VP8L", 0x2f, 0x7f, 0x02, 0x78, 0x00), 640, 481],
    ["lossy WebP", webp("VP8 ", 0, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x42, 0xe1, 0x01), 640, 481],
  ])("reads %s", (_name, bytes, width, height) => expect(readImageSize(bytes)).toEqual({ width, height }));

  it.each(["png", "jpeg", "gif", "webp"] as const)("gives nothing for any cut-off %s, and never fails", (format) => {
    const bytes = sampleImage(format, 640, 481);
    for (let length = 0; length < bytes.length; length++) {
      const size = readImageSize(bytes.subarray(0, length));
      if (size) expect(size).toEqual({ width: 640, height: 481 });
    }
    expect(readImageSize(bytes.subarray(0, 9))).toBeUndefined();
  });

  it.each([new Uint8Array(), Buffer.from("hello, this is no picture at all"), Buffer.alloc(64, 0xff)])(
    "gives nothing for what is no picture",
    (bytes) => {
      expect(readImageSize(bytes)).toBeUndefined();
    },
  );

  it("reads bytes that begin inside a larger buffer", () => {
    const bytes = Buffer.concat([Buffer.from("xxx"), sampleImage("png", 7, 9)]).subarray(3);
    expect(readImageSize(bytes)).toEqual({ width: 7, height: 9 });
  });

  it("looks at no more segments of a JPEG than a photo has, nor does who asks how it was held", async () => {
    const start = Buffer.from([0xff, 0xd8]);
    const photo = (marker: number, count: number) =>
      Buffer.concat([
        start,
        Buffer.alloc(4 * count, Buffer.from([0xff, marker, 0, 2])),
        sampleImage("jpeg", 640, 481).subarray(2),
      ]);
    for (const marker of [0xe1, 0xe2]) {
      expect(readImageSize(photo(marker, 5_000))).toEqual({ width: 640, height: 481 });
      const endless = photo(marker, 5_000_000);
      const read = () => [readImageSize(endless), uprightSize(endless, { width: 2, height: 1 })];
      expect(await longestHoldMs(read)).toBeLessThan(50);
      expect(read()).toEqual([undefined, { width: 2, height: 1 }]);
    }
  });

  it("finds the end of a PNG of a million chunks in no time", async () => {
    const png = Buffer.from(sampleImage("png", 7, 9));
    const chunks = Buffer.alloc(12 * 1_500_000, "\0\0\0\0tEXt\0\0\0\0");
    const whole = Buffer.concat([png.subarray(0, 33), chunks, png.subarray(33)]);
    expect(await longestHoldMs(() => isImageCutOff(whole))).toBeLessThan(150);
    expect(isImageCutOff(whole)).toBe(false);
    expect(isImageCutOff(whole.subarray(0, -12))).toBe(true);
  });
});

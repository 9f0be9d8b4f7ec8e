import { deflateSync } from "node:zlib";
import { createCanvas } from "@napi-rs/canvas";
import { FAX_WIDTH, faxSheet, jbig2Sheet } from "@/lib/ai/files/samples/sample-fax";

/** Pictures as scanners pack them, for tests and benchmarks. */

/** What a sheet looks like: noisy paper is white but for what no sheet is free of, so that it is not empty. */
export type SheetLook = "white" | "noisy" | "written";

export type ScanFormat = "flate" | "jpeg" | "fax" | "jbig2";

/** A picture inside a PDF. */
export interface PackedImage {
  dictionary: string;
  data: Uint8Array;
}

/**
 * A sheet as a scanner packs it.
 * @param width in pixels; fax and JBIG2 have their own
 * @param seed another one gives other noise, and writing of another length
 */
export function scanImage(
  format: ScanFormat,
  look: SheetLook,
  { width = 64, height = 80, seed = 1 }: { width?: number; height?: number; seed?: number } = {},
): PackedImage {
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height}`;
  if (format === "fax" || format === "jbig2") return blackAndWhite(format, look, height, seed);
  const pixels = paintSheet(look, width, height, seed);
  if (format === "jpeg") {
    const dictionary = `${image} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`;
    return { dictionary, data: toJpeg(pixels, width, height) };
  }
  const dictionary = `${image} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`;
  return { dictionary, data: deflateSync(pixels) };
}

/** Grey values, row by row: lines of writing are bars as long as words. */
function paintSheet(look: SheetLook, width: number, height: number, seed: number): Uint8Array {
  const pixels = new Uint8Array(width * height).fill(255);
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % below;
  };
  if (look === "noisy") for (let at = 0; at < pixels.length; at += 1 + random(9)) pixels[at] = 250 - random(6);
  if (look !== "written") return pixels;
  const lineHeight = Math.max(4, Math.round(height / 50));
  const lines = 1 + random(Math.floor(height / lineHeight / 2));
  for (let line = 0; line < lines; line++) {
    for (let x = Math.floor(width / 10); x < width * 0.9; x += 2 + random(Math.ceil(width / 60))) {
      const top = (line * 2 + 1) * lineHeight;
      for (let y = top; y < Math.min(height, top + lineHeight); y++) pixels[y * width + x] = 20;
    }
  }
  return pixels;
}

function toJpeg(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, height);
  const colours = new Uint32Array(image.data.buffer);
  for (let at = 0; at < pixels.length; at++) colours[at] = 0xff00_0000 + 0x01_0101 * (pixels[at] ?? 0);
  context.putImageData(image, 0, 0);
  return canvas.toBuffer("image/jpeg", JPEG_QUALITY);
}

const JPEG_QUALITY = 75;

/** Lines of four black stretches; on noisy paper one stretch here and there. */
function blackAndWhite(format: "fax" | "jbig2", look: SheetLook, height: number, seed: number): PackedImage {
  const image = `/Type /XObject /Subtype /Image /Width ${FAX_WIDTH} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 1`;
  const [every, stretches] = { white: [1, 0], noisy: [23, 1], written: [4, 4] }[look] as [number, number];
  const sheet = { height, stretchesAt: (row: number) => (row % every === seed % 3 ? stretches : 0) };
  if (format === "jbig2") return { dictionary: `${image} /Filter /JBIG2Decode`, data: jbig2Sheet(sheet) };
  const parameters = `/DecodeParms << /K -1 /Columns ${FAX_WIDTH} /Rows ${height} >>`;
  return { dictionary: `${image} /Filter /CCITTFaxDecode ${parameters}`, data: faxSheet(sheet) };
}

/** Pages of black and white as copiers and fax machines pack them, for tests: written by hand, since nothing here packs them. */

/** A sheet in the codes of fax Group 4. */
export interface FaxSheet {
  height: number;
  /** How many stretches of eight black points, each behind eight white ones, a row has; of `FAX_WIDTH` at most a quarter. */
  stretchesAt(row: number): number;
}

/** Pixels. */
export const FAX_WIDTH = 64;
const STRETCH_WIDTH = 16;

/** White to the end of the line; eight white and eight black; past a black stretch of the line above. */
const [TO_END, WHITE_BLACK, PASS] = ["1", "00110011000101", "0001"];
const END_OF_BLOCK = "000000000001".repeat(2);

export function faxSheet({ height, stretchesAt }: FaxSheet): Uint8Array {
  let bits = "";
  let above = 0;
  for (let row = 0; row < height; row++) {
    const stretches = stretchesAt(row);
    const isFull = stretches * STRETCH_WIDTH === FAX_WIDTH;
    bits += WHITE_BLACK.repeat(stretches);
    // A full line ends by itself.
    if (!isFull) bits += PASS.repeat(Math.max(0, above - stretches)) + TO_END;
    above = stretches;
  }
  bits += END_OF_BLOCK;
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, "0"), 2));
}

/** The same sheet as a page of JBIG2, which takes Group 4 for its regions. */
export function jbig2Sheet(sheet: FaxSheet): Uint8Array {
  const data = faxSheet(sheet);
  const size = [...uint32(FAX_WIDTH), ...uint32(sheet.height)];
  const [isMmr, combinesByOr] = [1, 0];
  const page = [...size, ...uint32(0), ...uint32(0), 0, 0, 0];
  const region = [...size, ...uint32(0), ...uint32(0), combinesByOr, isMmr, ...data];
  return Uint8Array.from([...segment(0, PAGE_INFORMATION, page), ...segment(1, GENERIC_REGION, region)]);
}

const [PAGE_INFORMATION, GENERIC_REGION] = [48, 38];

function segment(number: number, type: number, data: number[]): number[] {
  return [...uint32(number), type, 0, 1, ...uint32(data.length), ...data];
}

function uint32(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >> shift) & 255);
}

/** JPEG 2000 of one grey: a stream of one tile in which no coefficient differs from nothing. */
export function greyJpeg2000(width: number, height: number): Uint8Array {
  const [w, h, none] = [uint32(width), uint32(height), uint32(0)];
  const size = [0xff, 0x51, 0, 41, 0, 0, ...w, ...h, ...none, ...none, ...w, ...h, ...none, ...none, 0, 1, 7, 1, 1];
  const coding = [0xff, 0x52, 0, 12, 0, 0, 0, 1, 0, 0, 4, 4, 0, 1];
  const quantization = [0xff, 0x5c, 0, 4, 0x40, 0x40];
  const tile = [0xff, 0x90, 0, 10, 0, 0, ...none, 0, 1, 0xff, 0x93, 0];
  return Uint8Array.from([0xff, 0x4f, ...size, ...coding, ...quantization, ...tile, 0xff, 0xd9]);
}

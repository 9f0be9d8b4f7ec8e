import { FAX_WIDTH, faxSheet } from "@/lib/ai/files/sample-fax";

/** TIFFs as scanners and fax machines write them, for tests. */

export interface TiffPage {
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  /** Rows of grey values, or a sheet in fax Group 4. */
  data: Uint8Array;
  isFax?: boolean;
  /** From 1 to 8, as cameras write it. */
  orientation?: number;
  /** Points to an inch, across and down. */
  resolution?: readonly [across: number, down: number];
  /** Bits of what the picture is, e.g. 1 for a small copy of another. */
  newKind?: number;
}

export interface TiffOptions {
  endian?: "II" | "MM";
  /** As files of more than 4 GB have it. */
  isBig?: boolean;
  /** Where the last directory leads: nowhere, unless it is told. */
  endsAt?: "start";
}

/** A page whose left half is black and whose right half is white, which tells how it was turned. */
export function halfBlackPage(width = 60, height = 40, more: Partial<TiffPage> = {}): TiffPage {
  const data = Uint8Array.from({ length: width * height }, (_, at) => (at % width < width / 2 ? 0 : 255));
  return { width, height, data, ...more };
}

/** A white page, as a scanner makes one of the back of a sheet. */
export function whitePage(width = 60, height = 40): TiffPage {
  return { width, height, data: new Uint8Array(width * height).fill(255) };
}

/** A page of a fax, with black stretches on the left. */
export function faxPage(height = 80, more: Partial<TiffPage> = {}): TiffPage {
  return { width: FAX_WIDTH, height, data: faxSheet({ height, stretchesAt: () => 2 }), isFax: true, ...more };
}

/** Directories and pixels of the pages, one behind the other. */
export function sampleTiff(
  pages: readonly TiffPage[],
  { endian = "II", isBig = false, endsAt }: TiffOptions = {},
): Uint8Array {
  const isLittle = endian === "II";
  const number = (bytes: number, value: number) => {
    const buffer = Buffer.alloc(bytes);
    if (bytes === 8) isLittle ? buffer.writeBigUInt64LE(BigInt(value)) : buffer.writeBigUInt64BE(BigInt(value));
    else isLittle ? buffer.writeUIntLE(value, 0, bytes) : buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };
  const place = (value: number) => number(isBig ? 8 : 4, value);
  const tag = (id: number, type: number, bytes: number, value: number) =>
    Buffer.concat([
      number(2, id),
      number(2, type),
      place(1),
      number(bytes, value),
      Buffer.alloc((isBig ? 8 : 4) - bytes),
    ]);
  const short = (id: number, value: number) => tag(id, 3, 2, value);
  const long = (id: number, value: number) => tag(id, 4, 4, value);

  const head = isBig ? [number(2, 43), number(2, 8), number(2, 0)] : [number(2, 42)];
  const start = Buffer.concat([Buffer.from(endian), ...head, place(isBig ? 16 : 8)]);
  let tiff = start;
  pages.forEach((page, index) => {
    const { width, height, data, isFax, orientation, resolution, newKind } = page;
    const ratio = (value: number) => Buffer.concat([number(4, value), number(4, 1)]);
    const ratios = resolution?.map(ratio) ?? [];
    const countOfTags = 9 + (orientation ? 1 : 0) + ratios.length + (newKind ? 1 : 0);
    const directoryBytes = (isBig ? 8 : 2) + countOfTags * (isBig ? 20 : 12) + (isBig ? 8 : 4);
    const pixelsAt = tiff.length + directoryBytes + (isBig ? 0 : ratios.length * 8);
    const rational = (id: number, nth: number) => {
      const ratioAt = place(tiff.length + directoryBytes + nth * 8);
      return Buffer.concat([number(2, id), number(2, 5), place(1), isBig ? (ratios[nth] ?? ratioAt) : ratioAt]);
    };
    const tags = [
      ...(newKind ? [long(254, newKind)] : []),
      long(256, width),
      long(257, height),
      short(258, isFax ? 1 : 8),
      short(259, isFax ? 4 : 1),
      short(262, isFax ? 0 : 1),
      long(273, pixelsAt),
      ...(orientation ? [short(274, orientation)] : []),
      short(277, 1),
      long(278, height),
      long(279, data.byteLength),
      ...(resolution ? [rational(282, 0), rational(283, 1)] : []),
    ];
    const end = pixelsAt + data.byteLength;
    const isLast = index === pages.length - 1;
    const next = !isLast ? end : endsAt === "start" ? start.length : 0;
    const directory = [number(isBig ? 8 : 2, countOfTags), ...tags, place(next)];
    tiff = Buffer.concat([tiff, ...directory, ...(isBig ? [] : ratios), data]);
  });
  return tiff;
}

import { FAX_WIDTH, faxSheet } from "@/lib/ai/files/samples/sample-fax";

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
  /** Bytes in front of the first directory: many programs write it last. */
  bytesBefore?: number;
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
export function sampleTiff(pages: readonly TiffPage[], options: TiffOptions = {}): Uint8Array {
  const { endian = "II", isBig = false, bytesBefore = 0, endsAt } = options;
  const write = writerOf(endian, isBig);
  const mark = isBig ? [write.number(2, 43), write.number(2, 8), write.number(2, 0)] : [write.number(2, 42)];
  const firstAt = (isBig ? 16 : 8) + bytesBefore;
  let tiff = Buffer.concat([Buffer.from(endian), ...mark, write.place(firstAt), Buffer.alloc(bytesBefore)]);
  pages.forEach((page, index) => {
    const isLast = index === pages.length - 1;
    tiff = Buffer.concat([
      tiff,
      pageOf(page, tiff.length, write, (end) => {
        if (!isLast) return end;
        return endsAt === "start" ? firstAt : 0;
      }),
    ]);
  });
  return tiff;
}

/** A directory and what it names, as they stand from `at` on; `nextOf` says where it leads, by where its page ends. */
function pageOf(page: TiffPage, at: number, write: TiffWriter, nextOf: (end: number) => number): Buffer {
  const { width, height, data, isFax, orientation, resolution, newKind } = page;
  const tagCount = 9 + (orientation ? 1 : 0) + (resolution ? 2 : 0) + (newKind ? 1 : 0);
  const ratiosAt = at + (write.isBig ? 8 : 2) + tagCount * (write.isBig ? 20 : 12) + (write.isBig ? 8 : 4);
  const ratios = (resolution ?? []).map((value) => Buffer.concat([write.number(4, value), write.number(4, 1)]));
  const pixelsAt = ratiosAt + (write.isBig ? 0 : ratios.length * 8);
  const tags = [
    ...(newKind ? [write.long(254, newKind)] : []),
    write.long(256, width),
    write.long(257, height),
    write.short(258, isFax ? 1 : 8),
    write.short(259, isFax ? 4 : 1),
    write.short(262, isFax ? 0 : 1),
    write.long(273, pixelsAt),
    ...(orientation ? [write.short(274, orientation)] : []),
    write.short(277, 1),
    write.long(278, height),
    write.long(279, data.byteLength),
    ...ratios.map((ratio, nth) => write.tag(282 + nth, 5, write.isBig ? ratio : write.place(ratiosAt + nth * 8))),
  ];
  const next = write.place(nextOf(pixelsAt + data.byteLength));
  const directory = [write.number(write.isBig ? 8 : 2, tagCount), ...tags, next];
  return Buffer.concat([...directory, ...(write.isBig ? [] : ratios), data]);
}

type TiffWriter = ReturnType<typeof writerOf>;

function writerOf(endian: "II" | "MM", isBig: boolean) {
  const number = (bytes: number, value: number) => {
    const big = Buffer.alloc(8);
    big.writeBigUInt64BE(BigInt(value));
    const buffer = big.subarray(8 - bytes);
    return endian === "II" ? buffer.reverse() : buffer;
  };
  const placeBytes = isBig ? 8 : 4;
  const place = (value: number) => number(placeBytes, value);
  /** One value, which stands in the tag itself. */
  const tag = (id: number, type: number, value: Buffer) =>
    Buffer.concat([number(2, id), number(2, type), place(1), value, Buffer.alloc(placeBytes - value.length)]);
  return {
    isBig,
    number,
    place,
    tag,
    short: (id: number, value: number) => tag(id, 3, number(2, value)),
    long: (id: number, value: number) => tag(id, 4, number(4, value)),
  };
}

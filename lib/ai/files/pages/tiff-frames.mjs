// The pages of a TIFF by its directories alone, with no pixel unpacked. Plain JavaScript, for threads too.

/** As many as are read of a PDF. */
const MAX_FRAMES = 5_000;
/** Of one directory: those that cameras and scanners write have some thirty. */
const MAX_TAGS = 1_000;

const TAG = { newKind: 254, width: 256, height: 257, oldKind: 255, orientation: 274, across: 282, down: 283 };
const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;
const LONG8 = 16;
/** Bits of its kind: a small copy of another page, a mask. */
const NO_PAGE = 1 | 4;
const OLD_SMALL_COPY = 2;

/** Whether a file is a TIFF, by its first bytes; those of more than 4 GB and their like included. */
export function isTiff(bytes) {
  if (bytes.byteLength < 8) return false;
  const mark = Buffer.from(bytes.buffer, bytes.byteOffset, 4).toString("latin1");
  return ["II*\0", "MM\0*", "II+\0", "MM\0+"].includes(mark);
}

/**
 * The pages of a TIFF, in their order, without small copies and masks: `{ index, width, height, orientation, stretch }`, the
 * index among all pictures of the file, the size in pixels as stored, how it was held from 1 to 8, and how much higher than
 * broad a pixel is, as faxes have it. What is broken ends the list.
 */
export function tiffFrames(bytes) {
  const tiff = readerOf(bytes);
  const all = [];
  const seen = new Set();
  let at = tiff.first();
  for (let index = 0; at > 0 && !seen.has(at) && index < MAX_FRAMES; index++) {
    seen.add(at);
    const directory = tiff.directory(at);
    if (!directory) break;
    all.push({ index, ...directory.tags });
    at = directory.next;
  }
  const pictures = all.filter(({ width, height }) => width > 0 && height > 0);
  const pages = pictures.filter(({ newKind = 0, oldKind }) => !(newKind & NO_PAGE) && oldKind !== OLD_SMALL_COPY);
  return (pages.length > 0 ? pages : pictures).map(frameOf);
}

function frameOf({ index, width, height, orientation, across, down }) {
  const isKnown = orientation >= 1 && orientation <= 8;
  return { index, width, height, orientation: isKnown ? orientation : 1, stretch: stretchOf(across, down) };
}

/** Coarse faxes have half as many lines as points in a line. Anything else than that kind of thing is a mistake. */
function stretchOf(across, down) {
  const stretch = across / down;
  return stretch >= 1 / 4 && stretch <= 4 ? stretch : 1;
}

function readerOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  const isBig = view.getUint16(2, isLittle) === 43;
  const short = (at) => view.getUint16(at, isLittle);
  const long = (at) => view.getUint32(at, isLittle);
  const place = (at) => (isBig ? Number(view.getBigUint64(at, isLittle)) : long(at));
  const [countBytes, tagBytes, valueAt] = isBig ? [8, 20, 12] : [2, 12, 8];
  const values = {
    [SHORT]: short,
    [LONG]: long,
    [LONG8]: place,
    [RATIONAL]: (at) => rationalAt(isBig ? at : long(at)),
  };
  // Each tag of a damaged file may name one that is not there: as many errors would take the server's thread for a minute.
  const rationalAt = (at) => (at + 8 > view.byteLength ? undefined : long(at) / long(at + 4));
  const valueAtTag = (at) => orUndefined(() => values[short(at + 2)]?.(at + valueAt));
  return {
    first: () => orUndefined(() => place(isBig ? 8 : 4)) ?? 0,
    directory: (at) =>
      orUndefined(() => {
        const count = isBig ? place(at) : short(at);
        const tags = {};
        for (let index = 0; index < Math.min(count, MAX_TAGS); index++) {
          const tagAt = at + countBytes + index * tagBytes;
          const name = NAMES.get(short(tagAt));
          if (name) tags[name] = valueAtTag(tagAt);
        }
        return { tags, next: orUndefined(() => place(at + countBytes + count * tagBytes)) ?? 0 };
      }),
  };
}

const NAMES = new Map(Object.entries(TAG).map(([name, tag]) => [tag, name]));

/** What lies beyond the end of the file is not there. */
function orUndefined(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

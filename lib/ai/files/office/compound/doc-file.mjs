import { Unreadable } from "../unreadable.mjs";

/** Where the file's head says where the parts of its table stream are, each a place and a length. */
const BLOCKS_OFFSET = 0x9a;

/** Numbers of these parts. */
export const BLOCKS = {
  styles: 1,
  footnoteMarks: 2,
  footnotes: 3,
  commentMarks: 4,
  comments: 5,
  characters: 12,
  paragraphs: 13,
  fonts: 15,
  pieces: 33,
  commentAuthors: 36,
  endnoteMarks: 46,
  endnotes: 47,
  lists: 73,
  listOverrides: 74,
};

const LENGTHS_OFFSET = 0x4c;
/** The parts of all text, in the order in which they follow each other; the fourth is no longer used. */
const TEXT_PARTS = ["body", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "headerBoxes"];

const FORMAT_PAGE_BYTES = 512;
const PIECE_BYTES = 8;
const COMPRESSED = 0x40000000;
const WINDOWS_LATIN = new TextDecoder("windows-1252");

/** A document of Word 97 to 2003 by its two streams: where its text stands, and what is said of each place. */
export class DocFile {
  /** @param {Buffer} main the stream WordDocument @param {Buffer} table the stream that belongs to it */
  constructor(main, table) {
    this.main = main;
    this.table = table;
  }

  /** A part of the table stream, empty when it is not there. */
  block(number) {
    const place = BLOCKS_OFFSET + number * 8;
    // Older writers have shorter heads.
    if (place + 8 > this.main.length) return Buffer.alloc(0);
    const [from, length] = [this.main.readUInt32LE(place), this.main.readUInt32LE(place + 4)];
    return this.table.subarray(from, from + length);
  }

  /** A list of places with something of `dataBytes` each: `places` has one more, the end of the last. */
  places(number, dataBytes) {
    return readPlaces(this.block(number), dataBytes);
  }

  /** @returns {Record<string, [from: number, to: number]>} each part of the text, in characters */
  textParts() {
    let from = 0;
    const parts = {};
    for (const [index, name] of TEXT_PARTS.entries()) {
      const to = from + this.main.readUInt32LE(LENGTHS_OFFSET + index * 4);
      parts[name] = [from, to];
      from = to;
    }
    return parts;
  }

  /**
   * The text in pieces, in its order: one may stand anywhere in the file, and in one byte a character or two.
   * @returns {{ cp: number, fc: number, width: 1 | 2, length: number }[]}
   */
  pieces() {
    const { places, data } = readPlaces(this.#pieceTable(), PIECE_BYTES);
    return data.map((piece, index) => {
      const at = piece.readUInt32LE(2);
      const isCompressed = (at & COMPRESSED) !== 0;
      const cp = places[index];
      const length = places[index + 1] - cp;
      return isCompressed ? { cp, fc: (at & ~COMPRESSED) / 2, width: 1, length } : { cp, fc: at, width: 2, length };
    });
  }

  /** Behind what quick saves left. */
  #pieceTable() {
    const block = this.block(BLOCKS.pieces);
    let offset = 0;
    while (block[offset] === 1) offset += 3 + block.readUInt16LE(offset + 1);
    if (block[offset] !== 2) throw new Unreadable("broken", "no pieces of text");
    return block.subarray(offset + 5, offset + 5 + block.readUInt32LE(offset + 1));
  }

  /** @param {number} fc @param {number} to places in the file */
  text(fc, to, width) {
    const bytes = this.main.subarray(fc, to);
    return width === 1 ? WINDOWS_LATIN.decode(bytes) : bytes.toString("utf16le");
  }

  /**
   * What pages of formats say of stretches of the file, in their order.
   * @param read takes a page and which of its stretches it is
   * @returns {{ from: number, to: number, look: object }[]}
   */
  formats(number, read) {
    const found = [];
    for (const entry of this.places(number, 4).data) {
      const start = (entry.readUInt32LE(0) & 0x3fffff) * FORMAT_PAGE_BYTES;
      const page = this.main.subarray(start, start + FORMAT_PAGE_BYTES);
      const count = page[FORMAT_PAGE_BYTES - 1] ?? 0;
      for (let index = 0; index < count; index++) {
        const [from, to] = [page.readUInt32LE(index * 4), page.readUInt32LE(index * 4 + 4)];
        found.push({ from, to, look: read(page, index, count) });
      }
    }
    return found.sort((a, b) => a.from - b.from);
  }
}

function readPlaces(block, dataBytes) {
  const count = Math.max(0, Math.floor((block.length - 4) / (4 + dataBytes)));
  const places = Array.from({ length: block.length < 4 ? 0 : count + 1 }, (_, index) => block.readUInt32LE(index * 4));
  const start = places.length * 4;
  const data = Array.from({ length: count }, (_, index) => {
    const from = start + index * dataBytes;
    return block.subarray(from, from + dataBytes);
  });
  return { places, data };
}

/**
 * Of sorted stretches the one that a place lies in, and where the next one begins.
 * @returns {{ found?: { from: number, to: number, look: object }, next: number }}
 */
export function findStretch(stretches, place) {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[middle].from <= place) low = middle + 1;
    else high = middle;
  }
  const before = stretches[low - 1];
  const next = stretches[low]?.from ?? Number.POSITIVE_INFINITY;
  return { next, ...(before && place < before.to && { found: before }) };
}

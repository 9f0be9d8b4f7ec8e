import { symbolIn } from "../docx/docx-symbols.mjs";
import { BLOCKS, findStretch } from "./doc-file.mjs";
import { isSet, readSprms } from "./doc-sprms.mjs";

const DELETED = 0x0800;
const HIDDEN = 0x083c;
const STRUCK = [0x0837, 0x2a53];
const RAISING = 0x2a48;
const SYMBOL = 0x6a09;
const FONT_NAME_OFFSET = 39;

/** The text of a document of Word 97 to 2003 with its looks: where characters and paragraphs stand, and what is said of them. */
export class DocText {
  #doc;
  #pieces;
  #characters;
  #paragraphs;

  constructor(doc) {
    this.#doc = doc;
    this.#pieces = doc.pieces();
    const fonts = readFonts(doc.block(BLOCKS.fonts));
    this.#characters = doc.formats(BLOCKS.characters, (page, index, count) => {
      const at = page[(count + 1) * 4 + index] * 2;
      return at === 0 ? {} : characterLook(readSprms(page.subarray(at + 1, at + 1 + page[at])), fonts);
    });
    this.#paragraphs = doc.formats(BLOCKS.paragraphs, readParagraph);
  }

  /**
   * Stretches of one look between two characters.
   * @returns {Generator<{ text: string, cp: number, fc: number, width: number, look: object }>}
   */
  *runs(from, to) {
    for (const { cp, fc, width, length } of this.#pieces) {
      let place = fc + Math.max(0, from - cp) * width;
      const end = fc + Math.min(length, to - cp) * width;
      while (place < end) {
        const { found, next: following } = findStretch(this.#characters, place);
        const next = Math.min(end, found?.to ?? following);
        const text = this.#doc.text(place, next, width);
        // Behind the end of a file that was cut off there is nothing more.
        if (text === "") break;
        yield { text, cp: cp + (place - fc) / width, fc: place, width, look: found?.look ?? {} };
        place = next;
      }
    }
  }

  /** @returns {{ style: number, sprms: Map<number, Buffer> }} of the paragraph that a place in the file belongs to */
  paragraphAt(fc) {
    return findStretch(this.#paragraphs, fc).found?.look ?? { style: 0, sprms: new Map() };
  }
}

function characterLook(sprms, fonts) {
  const symbol = sprms.get(SYMBOL);
  return {
    isDeleted: isSet(sprms, DELETED),
    isStruck: STRUCK.some((code) => isSet(sprms, code)),
    isHidden: isSet(sprms, HIDDEN),
    isRaised: sprms.get(RAISING)?.[0] === 1,
    ...(symbol && { symbol: symbolIn(fonts[symbol.readUInt16LE(0)] ?? "", symbol.readUInt16LE(2)) }),
  };
}

function readParagraph(page, index, count) {
  const at = page[(count + 1) * 4 + index * 13] * 2;
  if (at === 0) return { style: 0, sprms: new Map() };
  const isLong = page[at] === 0;
  const properties = isLong
    ? page.subarray(at + 2, at + 2 + page[at + 1] * 2)
    : page.subarray(at + 1, at + page[at] * 2);
  return { style: properties.readUInt16LE(0), sprms: readSprms(properties.subarray(2)) };
}

/** Names of fonts, by number. */
function readFonts(block) {
  const names = [];
  for (let offset = 4; offset < block.length; offset += 1 + block[offset]) {
    const font = block.subarray(offset + 1, offset + 1 + block[offset]);
    names.push(font.toString("utf16le", FONT_NAME_OFFSET).split("\0")[0]);
  }
  return names;
}

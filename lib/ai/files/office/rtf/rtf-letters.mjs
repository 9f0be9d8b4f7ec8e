import { symbolIn } from "../docx/docx-symbols.mjs";
import { decode, encodingOf } from "./rtf-tokens.mjs";

const SYMBOL_CHARSET = 2;

/** Makes letters of the bytes of a rich text, by the fonts that they are in and the code page that it states. */
export class RtfLetters {
  /** Of the document. */
  page;
  #fonts = new Map();
  #bytes = [];
  /** Characters that stand for one of Unicode, in programs that do not know it. */
  #toSkip = 0;

  /** @param number of a font in the table of them, which begins with it */
  beginFont(number) {
    this.#fonts.set(number, { name: "" });
  }

  /** Adds to what is known of a font. */
  describeFont(number, { name = "", charset }) {
    const font = this.#fonts.get(number) ?? { name: "" };
    font.name += name.replace(/;.*/s, "");
    if (charset !== undefined) font.charset = charset;
    this.#fonts.set(number, font);
  }

  /** A group begins or ends: what is skipped does not reach over that. */
  stopSkipping() {
    this.#toSkip = 0;
  }

  /** @returns whether a character is one of those that stand for another */
  isSkipped() {
    if (this.#toSkip === 0) return false;
    this.#toSkip -= 1;
    return true;
  }

  /** @param count of characters that follow in its place */
  unicode(number, count) {
    this.#toSkip = count;
    return String.fromCharCode(number & 0xffff);
  }

  addByte(byte) {
    if (!this.isSkipped()) this.#bytes.push(byte);
  }

  /** Letters beyond ASCII should not stand as they are, and do. */
  addText(text) {
    for (const character of text.slice(this.#toSkip)) this.#bytes.push(character.charCodeAt(0));
    this.#toSkip = Math.max(0, this.#toSkip - text.length);
  }

  /** @returns what the bytes so far say in a font; a letter may have two of them */
  take(font, isName) {
    if (this.#bytes.length === 0) return "";
    const bytes = this.#bytes;
    this.#bytes = [];
    const { charset, name = "" } = this.#fonts.get(font) ?? {};
    if (charset !== SYMBOL_CHARSET || isName) return decode(bytes, encodingOf(charset, this.page));
    return bytes.map((byte) => symbolIn(name, byte) || (byte < 0x80 ? String.fromCharCode(byte) : "")).join("");
  }
}

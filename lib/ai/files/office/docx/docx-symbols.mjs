import { SYMBOL_FONTS } from "../symbol-fonts.mjs";
import { attribute } from "../xml.mjs";

/** Word keeps such characters in a private range of Unicode; others are what they say. */
const PRIVATE_RANGE = 0xf000;

/** What stands for a symbol (`w:sym`) in a text; "" where nobody knows. */
export function symbolOf(attributes) {
  const hex = attribute(attributes, "char") ?? "";
  if (!/^[0-9a-f]{4}$/i.test(hex)) return "";
  return symbolIn(attribute(attributes, "font") ?? "", Number.parseInt(hex, 16));
}

/** The same by the font's name and the character's number in it. */
export function symbolIn(name, code) {
  const font = SYMBOL_FONTS.get(name.toLowerCase());
  if (font) return font.get(code >= PRIVATE_RANGE ? code - PRIVATE_RANGE : code) ?? "";
  return code < 0x20 || (code >= 0xd800 && code <= 0xf8ff) ? "" : String.fromCharCode(code);
}

/** A word with its number, a byte in hex, a sign, a brace, text, or a line's end, which means nothing. */
const TOKEN = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/giy;

/**
 * The tokens of a rich text.
 * @param {string} source each character a byte
 * @returns {Generator<{ word?: string, number?: number, byte?: number, sign?: string, brace?: string, text?: string }>}
 */
export function* readTokens(source) {
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(source);
    // A backslash at the very end.
    if (!found) return;
    const [, word, number, hex, sign, brace, text] = found;
    const value = number === undefined ? undefined : Number(number);
    // Bytes that stand as they are.
    if (word === "bin") TOKEN.lastIndex += Math.max(0, value ?? 0);
    else if (word !== undefined) yield { word: word.toLowerCase(), number: value };
    else if (hex !== undefined) yield { byte: Number.parseInt(hex, 16) };
    else if (sign !== undefined) yield { sign };
    else if (brace !== undefined) yield { brace };
    else if (text !== undefined) yield { text };
    if (TOKEN.lastIndex === at) return;
  }
}

/** Code pages of a font's letters by the number of its character set; the others are of the document's own. */
const CHARSETS = new Map([
  [77, "macintosh"],
  [128, "shift_jis"],
  [129, "euc-kr"],
  [134, "gbk"],
  [136, "big5"],
  [161, "windows-1253"],
  [162, "windows-1254"],
  [163, "windows-1258"],
  [177, "windows-1255"],
  [178, "windows-1256"],
  [186, "windows-1257"],
  [204, "windows-1251"],
  [222, "windows-874"],
  [238, "windows-1250"],
]);
const PAGES = new Map([
  [932, "shift_jis"],
  [936, "gbk"],
  [949, "euc-kr"],
  [950, "big5"],
  [10000, "macintosh"],
  [65001, "utf-8"],
]);
const decoders = new Map();

/** @param {number | undefined} page of the document */
export function encodingOf(charset, page) {
  const known = CHARSETS.get(charset) ?? PAGES.get(page);
  return known ?? (page === 874 || (page >= 1250 && page <= 1258) ? `windows-${page}` : "windows-1252");
}

/** Bytes as letters. */
export function decode(bytes, encoding) {
  if (!decoders.has(encoding)) decoders.set(encoding, new TextDecoder(encoding));
  return decoders.get(encoding).decode(Uint8Array.from(bytes));
}

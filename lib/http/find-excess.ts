/** Deeper or longer than any body of the service; below what costs time and memory out of proportion to its bytes. */
const MAX_DEPTH = 32;
const MAX_VALUES = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Why a text is no JSON that anybody has to send, before a single object is made of it; undefined for all else, JSON or not. In
 * words that follow what it is: "is nested deeper than 32 levels". One pass, strings left out.
 */
export function findExcess(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
    } else if (code === COMMA) {
      values++;
    } else if (code === 0x7b || code === 0x5b) {
      depth++;
      values++;
      if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
    }
    if (values > MAX_VALUES) return `has more than ${MAX_VALUES} values`;
  }
  return undefined;
}

/** Index of the closing quote, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

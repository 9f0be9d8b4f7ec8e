import { AppError } from "@/lib/domain/errors";
import { cleanJson } from "@/lib/http/clean-text";

/** Deeper or longer than any body of the API; below what costs memory out of proportion to its bytes. */
const MAX_DEPTH = 32;
const MAX_VALUES = 100_000;

/**
 * Parses JSON that a client wrote. Bounded in depth and number of values before a single object is made.
 * With a name twice the last one counts.
 * @param param the field that carries it, in a multipart body
 * @throws AppError INVALID_JSON (INVALID_MULTIPART for a field), VALIDATION_FAILED for text that cannot be kept
 */
export function parseJson(text: string, param?: string): unknown {
  const invalid = (reason: string, cause?: unknown) =>
    param === undefined
      ? new AppError("INVALID_JSON", `The body ${reason}.`, { cause })
      : new AppError("INVALID_MULTIPART", `${param} ${reason}.`, { param, cause });
  const tooMuch = findExcess(text);
  if (tooMuch) throw invalid(tooMuch);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("is not valid JSON");
  }
  // NUL and half surrogate pairs get into valid UTF-8 only by escapes.
  return text.includes("\\u") ? cleanJson(value, param) : value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** One pass over the text, strings left out. */
function findExcess(text: string): string | undefined {
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

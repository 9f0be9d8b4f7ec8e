/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Blanks beside blanks only with a digit between them: a header of nothing but blanks would take quadratic time. */
const BYTES = /^\s*bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i;

/**
 * Reads a `Range` header (RFC 9110 §14) against a size in bytes.
 * @returns the one range asked for; null when the whole is to be sent (no header, another unit, several ranges, or
 * nonsense, which the standard says to ignore); "unsatisfiable" when it begins behind the end (416).
 */
export function parseByteRange(header: string | null | undefined, size: number): ByteRange | null | "unsatisfiable" {
  const [, first = "", last = ""] = BYTES.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "unsatisfiable" : { start, end };
}

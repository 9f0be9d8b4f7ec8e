import type { Pace } from "@/lib/give-way";

/** How a page of any length is read without holding the thread that serves: a piece at a time. */

/** Of text between two tags that is read in one step. */
const PIECE_CHARACTERS = 16_384;
/** So far back a place is looked for at which nothing is cut in two. */
const PIECE_END_CHARACTERS = 256;
const JOINED_STRINGS = 16_384;
const LINES_PER_LOOK = 16;

/** A long text is read in pieces that end before an entity or before blanks, so that neither is cut in two. */
export function endOfPiece(html: string, start: number, end: number): number {
  if (end - start <= PIECE_CHARACTERS) return end;
  const latest = start + PIECE_CHARACTERS;
  for (let at = latest; at > latest - PIECE_END_CHARACTERS; at--) {
    if (html[at] === "&" || (isBlank(html, at) && !isBlank(html, at - 1))) return at;
  }
  return latest;
}

function isBlank(html: string, at: number): boolean {
  return /\s/.test(html[at] ?? "");
}

/** A text without a character that is to mean something else in it. */
export async function withoutMark(source: string, mark: string, pace: Pace): Promise<string> {
  if (!source.includes(mark)) return source;
  const pieces: string[] = [];
  for (let start = 0; start < source.length; start += PIECE_CHARACTERS) {
    pieces.push(source.slice(start, start + PIECE_CHARACTERS).replaceAll(mark, ""));
    if (pace.isDue()) await pace.giveWay();
  }
  return pieces.join("");
}

/** Millions of strings take long to join. */
export async function joinSlowly(strings: readonly string[], pace: Pace, separator = ""): Promise<string> {
  const joined: string[] = [];
  for (let start = 0; start < strings.length; start += JOINED_STRINGS) {
    joined.push(strings.slice(start, start + JOINED_STRINGS).join(separator));
    if (pace.isDue()) await pace.giveWay();
  }
  return joined.join(separator);
}

/**
 * Lines without blanks at their ends, and no more than one empty line between others.
 * @param keptLine stands before a line that keeps the blanks at its beginning
 */
export async function tidyLines(text: string, keptLine: string, pace: Pace): Promise<string> {
  const lines: string[] = [];
  // Of those that are left out, too: a page may be nothing but empty ones.
  for (let start = 0, end = 0, read = 1; start <= text.length; start = end + 1, read++) {
    end = text.indexOf("\n", start);
    if (end === -1) end = text.length;
    const line = text.slice(start, end);
    const tidied = line.startsWith(keptLine) ? line.slice(1).trimEnd() : withoutLastBars(line.trim());
    if (tidied !== "" || lines.at(-1) !== "") lines.push(tidied);
    const isLook = read % LINES_PER_LOOK === 0 || line.length >= PIECE_CHARACTERS;
    if (isLook && pace.isDue()) await pace.giveWay();
  }
  return (await joinSlowly(lines, pace, "\n")).trim();
}

/** Without the bars behind a row's last cell. By hand: an expression takes quadratic time for many blanks or empty cells. */
function withoutLastBars(line: string): string {
  let end = line.length;
  while (line.charCodeAt(end - 1) === BAR) {
    end -= 1;
    while (end > 0 && isBlankCode(line.charCodeAt(end - 1))) end -= 1;
  }
  return line.slice(0, end);
}

const BAR = 0x7c;
const LAST_ASCII = 0x7f;

/** Asking an expression about each character of a line of millions takes most of a second. */
function isBlankCode(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code > LAST_ASCII && /\s/.test(String.fromCharCode(code)));
}

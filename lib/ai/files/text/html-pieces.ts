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
 * Before a line that keeps the blanks at its beginning, and before one of a list, where more of them set it further in. With
 * nothing behind it the second says that an item is over; twice, that the list is. No text has them.
 */
export const KEPT_LINE = "\u0001";
export const ITEM_LINE = "\u0002";

/** Lines without blanks at their ends, and no more than one empty line between others: none between the items of a list. */
export async function tidyLines(text: string, pace: Pace): Promise<string> {
  const lines = new TidyLines();
  // Of those that are left out, too: a page may be nothing but empty ones.
  for (let start = 0, end = 0, read = 1; start <= text.length; start = end + 1, read++) {
    end = text.indexOf("\n", start);
    if (end === -1) end = text.length;
    const line = text.slice(start, end);
    lines.take(line);
    const isLook = read % LINES_PER_LOOK === 0 || line.length >= PIECE_CHARACTERS;
    if (isLook && pace.isDue()) await pace.giveWay();
  }
  return (await joinSlowly(lines.end(), pace, "\n")).trim();
}

class TidyLines {
  #lines: string[] = [];
  /** An item's mark whose text has not come yet: it may stand in a paragraph of its own. */
  #mark = "";
  /** The last line that is not empty belongs to a list. */
  #isList = false;

  take(line: string): void {
    if (line.startsWith(ITEM_LINE)) this.#takeItem(line);
    else if (line.startsWith(KEPT_LINE)) this.#add(line.slice(1).trimEnd());
    else this.#add(withoutLastBars(line.trim()));
  }

  end(): string[] {
    this.#addMark();
    return this.#lines;
  }

  #takeItem(line: string): void {
    this.#addMark();
    const text = line.replace(LEADING_MARKS, "");
    const depth = line.length - text.length;
    const item = withoutLastBars(text.trim());
    if (item === "") {
      this.#add("");
      if (depth > 1) this.#isList = false;
      return;
    }
    if (this.#isList && this.#lines.at(-1) === "") this.#lines.pop();
    const indented = "  ".repeat(depth - 1) + item;
    if (IS_MARK.test(item)) this.#mark = indented;
    else this.#lines.push(indented);
    this.#isList = true;
  }

  #add(line: string): void {
    if (line === "" && (this.#mark !== "" || this.#lines.at(-1) === "")) return;
    this.#lines.push(this.#mark === "" ? line : `${this.#mark} ${line}`);
    if (line !== "" && this.#mark === "") this.#isList = false;
    this.#mark = "";
  }

  /** Of an item without a text. */
  #addMark(): void {
    if (this.#mark !== "") this.#lines.push(this.#mark);
    this.#mark = "";
  }
}

const LEADING_MARKS = new RegExp(`^${ITEM_LINE}+`);
const IS_MARK = /^(-|-?[\p{L}\d]{1,20}\.)$/u;

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

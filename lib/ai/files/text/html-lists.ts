import { writeNumber } from "@/lib/ai/files/office/number-formats.mjs";
import { readAttributes } from "@/lib/ai/files/text/html-attributes";
import { ITEM_LINE } from "@/lib/ai/files/text/html-pieces";

/** By what an ordered list says that it is. */
const NUMBER_FORMATS: Record<string, string> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};
const MAX_NUMBER = 1_000_000;
/** Deeper lists are read as parts of these. */
const MAX_DEPTH = 1_000;

/** Deeper ones stand no further in. */
const MAX_INDENT = 8;

interface NumberedList {
  next: number;
  step: 1 | -1;
  format: string;
}

/** Counts the items of lists with numbers, which stand nowhere in the text, and says how deep each list stands in others. */
export class HtmlLists {
  /** Open ones; of one with numbers what comes next, and how it is written. */
  #lists: (NumberedList | undefined)[] = [];
  /** Further lists that count down whose items are looked for: each costs a look at the page behind it. */
  #looksLeft = 100;

  /** @param behind the page from the tag on, as far as it is looked at for the number that a list counts down from */
  read(name: string, isClosing: boolean, tag: string, behind: () => string): void {
    if (isClosing) this.#lists.pop();
    else if (this.#lists.length < MAX_DEPTH) this.#lists.push(name === "ol" ? this.#numbered(tag, behind) : undefined);
  }

  #numbered(tag: string, behind: () => string): NumberedList {
    const attributes = readAttributes(tag);
    const format = NUMBER_FORMATS[attributes.get("type") ?? ""] ?? "decimal";
    const isReversed = attributes.has("reversed");
    const isLook = isReversed && !attributes.has("start") && this.#looksLeft > 0;
    if (isLook) this.#looksLeft -= 1;
    const first = isLook ? countItems(behind()) : 1;
    return { next: numberOf(attributes.get("start")) ?? first, step: isReversed ? -1 : 1, format };
  }

  /** What stands before an item that begins; the characters before the mark are as many as lists that it stands in. */
  nextMark(tag: string): string {
    return `${ITEM_LINE.repeat(Math.min(Math.max(this.#lists.length, 1), MAX_INDENT))}${this.#nextNumber(tag)} `;
  }

  #nextNumber(tag: string): string {
    const list = this.#lists.at(-1);
    if (!list) return "-";
    const number = numberOf(readAttributes(tag).get("value")) ?? list.next;
    list.next = number + list.step;
    return `${writeNumber(number, list.format)}.`;
  }

  /** What stands behind an item, or behind a list: the outermost one keeps apart from the next. */
  get endMark(): string {
    return `\n${ITEM_LINE.repeat(this.#lists.length === 0 ? 2 : 1)}`;
  }
}

/** Those of the list that begins there, without those of lists in it. */
function countItems(html: string): number {
  let depth = 0;
  let count = 0;
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)(ol|ul|li)\b/gi)) {
    if (name.toLowerCase() === "li") count += !slash && depth === 1 ? 1 : 0;
    else depth += slash ? -1 : 1;
    if (depth === 0) break;
  }
  return count;
}

function numberOf(value: string | undefined): number | undefined {
  const number = Number(value || Number.NaN);
  return Number.isInteger(number) && Math.abs(number) <= MAX_NUMBER ? number : undefined;
}

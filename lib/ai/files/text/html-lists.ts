import { writeNumber } from "@/lib/ai/files/office/number-formats.mjs";
import { readAttributes } from "@/lib/ai/files/text/html-attributes";

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

/** Counts the items of lists with numbers, which stand nowhere in the text. */
export class HtmlLists {
  /** Open ones; of one with numbers what comes next, and how it is written. */
  #lists: ({ next: number; format: string } | undefined)[] = [];

  read(name: string, isClosing: boolean, tag: string): void {
    if (isClosing) this.#lists.pop();
    else if (this.#lists.length < MAX_DEPTH) {
      const attributes = name === "ol" ? readAttributes(tag) : undefined;
      const format = NUMBER_FORMATS[attributes?.get("type") ?? ""] ?? "decimal";
      this.#lists.push(attributes && { next: numberOf(attributes.get("start")) ?? 1, format });
    }
  }

  /** What stands before an item that begins. */
  nextMark(tag: string): string {
    const list = this.#lists.at(-1);
    if (!list) return "- ";
    const number = numberOf(readAttributes(tag).get("value")) ?? list.next;
    list.next = number + 1;
    return `${writeNumber(number, list.format)}. `;
  }
}

function numberOf(value: string | undefined): number | undefined {
  const number = Number(value || Number.NaN);
  return Number.isInteger(number) && Math.abs(number) <= MAX_NUMBER ? number : undefined;
}

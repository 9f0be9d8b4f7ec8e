import { ITEM_LINE, KEPT_LINE } from "@/lib/ai/files/text/html-pieces";

const MAX_TAG_CHARACTERS = 2_000;
const HIDDEN =
  /\s(?:hidden(?=[\s=/>])(?!\s*=\s*["']?until-found)|style\s*=\s*(?:"[^"]*|'[^']*)\bdisplay\s*:\s*none\b)/i;
/** Their names begin an element that nothing ends. */
const VOID_ELEMENTS = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const BEGIN = "[Not shown: ";
const END = "] ";

/**
 * Marks what a page holds and does not show, such as the line of a mail that only its list of mails shows, or what a page's script
 * would unfold: it is said, but not as if people had seen it.
 */
export class HtmlHidden {
  /** The element that is hidden, and how many of its name are open in it. */
  #open: { name: string; depth: number; start: number } | undefined;

  constructor(private readonly output: string[]) {}

  /** Before what the tag itself writes. */
  read(name: string, isClosing: boolean, tag: string): void {
    if (this.#open) {
      if (name === this.#open.name) this.#open.depth += isClosing ? -1 : 1;
      if (this.#open.depth === 0) this.#close();
    } else if (!isClosing && !VOID_ELEMENTS.has(name) && HIDDEN.test(tag.slice(0, MAX_TAG_CHARACTERS))) {
      this.#open = { name, depth: 1, start: this.output.length };
    }
  }

  #close(): void {
    const { start } = this.#open as { start: number };
    this.#open = undefined;
    const [first, last] = [this.#find(LETTER, start, 1), this.#find(WORDS, start, -1)];
    if (first === undefined || last === undefined) return;
    this.output[first] = (this.output[first] ?? "").replace(LETTER, `${BEGIN}$&`);
    this.output[last] = `${this.output[last]?.trimEnd()}${END}`;
  }

  /** The first or last piece from there on that holds such a character. */
  #find(pattern: RegExp, start: number, step: 1 | -1): number | undefined {
    for (let at = step === 1 ? start : this.output.length - 1; at >= start && at < this.output.length; at += step) {
      if (pattern.test(this.output[at] ?? "")) return at;
    }
    return undefined;
  }
}

/** Marks of lists and headings stand before it. */
const LETTER = /[\p{L}\p{N}]/u;
/** Not the bar behind a row's last cell. */
const WORDS = new RegExp(`[^\\s|${ITEM_LINE}${KEPT_LINE}]`);

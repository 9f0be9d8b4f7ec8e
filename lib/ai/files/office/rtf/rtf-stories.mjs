import { STORY_TITLES } from "./rtf-groups.mjs";

/** How notes are marked where they belong, by the title that they stand under. */
const MARKS = new Map([
  ["[Footnotes]", "^"],
  ["[Comments]", "^c"],
]);

/** The texts beside the body of a rich text: notes, comments, boxes, headers and footers. */
export class RtfStories {
  /** Who wrote the comment that comes next. */
  author = "";
  #texts = new Map(STORY_TITLES.map((title) => [title, []]));
  #counts = new Map();

  /** @returns {{ sign: string, mark: string }} what stands where it belongs, and before it */
  begin(title) {
    const kind = MARKS.get(title);
    if (kind === undefined) return { sign: "", mark: "" };
    const count = (this.#counts.get(title) ?? 0) + 1;
    this.#counts.set(title, count);
    const sign = `[${kind}${count}]`;
    const author = title === "[Comments]" && this.author !== "" ? `${this.author}: ` : "";
    this.author = "";
    return { sign, mark: `${sign}: ${author}` };
  }

  add(title, text) {
    this.#texts.get(title).push(text);
  }

  /** Each header once: pages of several kinds mostly have the same. */
  write(writer, output) {
    for (const [title, texts] of this.#texts) {
      writer.announce(title);
      for (const text of new Set(texts)) if (!output.isFull) writer.paragraph(text);
    }
  }
}

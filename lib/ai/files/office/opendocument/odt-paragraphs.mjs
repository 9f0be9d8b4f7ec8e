// Plain JavaScript, since a worker runs it from its source.
import { attribute, toNumber } from "../xml.mjs";
import { shownText } from "./odt-hidden.mjs";
import { countItem } from "./odt-lists.mjs";

/** Numbers of lists and headings begin at no higher one. */
export const MAX_NUMBER = 1_000_000;

/** A hidden paragraph is marked as a whole. */
export function lookOf({ looks }, { isHidden: isMarked }) {
  return isMarked ? { ...looks.at(-1), isHidden: false } : looks.at(-1);
}

/** Begins a paragraph or a heading, with the number that it counts from. */
export function openParagraph(state, name, attributes) {
  const style = state.styles.find("paragraph", attribute(attributes, "style-name"));
  state.looks.push(style);
  const paragraph = { text: "", isHidden: state.paragraphs.length === 0 && state.hidden.isInHiddenSection };
  if (name === "h") {
    paragraph.heading = Math.max(1, toNumber(attribute(attributes, "outline-level"), 1, 10));
    const isCounted =
      state.lists.length === 0 && style.list !== "" && attribute(attributes, "is-list-header") !== "true";
    const start =
      attribute(attributes, "restart-numbering") === "true" ? attribute(attributes, "start-value") : undefined;
    paragraph.count = isCounted ? { start: toNumber(start, undefined, MAX_NUMBER) } : undefined;
  }
  state.paragraphs.push(paragraph);
}

/** A note stands inside of the paragraph that it belongs to. */
export function place({ writer, paragraphs }, text) {
  const parent = paragraphs.at(-1);
  if (parent) parent.text += parent.isComment ? `${text} ` : ` [${text}] `;
  else writer.paragraph(`[${text}]`);
}

/** Writes it, with its number, or puts it into the paragraph that it stands in. */
export function closeParagraph(state) {
  const paragraph = state.paragraphs.pop();
  if (!paragraph) return;
  const { heading, count } = paragraph;
  const text = shownText(paragraph);
  if (state.paragraphs.length > 0) {
    if (text.trim() !== "") place(state, text.trim());
    return;
  }
  const level = state.lists.length;
  const list = state.lists.at(-1);
  const isFirst = list?.item !== undefined && !list.item.isCounted;
  let number = isFirst
    ? countItem(list.counts, level, (at) => state.styles.level(at, list.style), list.item.start)
    : undefined;
  if (isFirst) list.item.isCounted = true;
  if (count) number = countItem(state.outline, heading, (at) => state.styles.level(at), count.start);
  if (heading) state.writer.paragraph(`${number ? `${number} ` : ""}${text.trimStart()}`, { heading });
  else state.writer.paragraph(text, isFirst ? { list: { level: level - 1, mark: number || "-" } } : {});
}

import { appendRun } from "../run-text.mjs";
import { attribute } from "../xml.mjs";

/** What an OpenDocument text hides other than by a style: sections, paragraphs and texts by their conditions, as it last weighed them. */
export class OdtHidden {
  /** Of the sections around, from without. */
  #sections = [];

  openSection(attributes) {
    this.#sections.push(attribute(attributes, "display") === "none" || isHidden(attributes));
  }

  closeSection() {
    this.#sections.pop();
  }

  get isInHiddenSection() {
    return this.#sections.includes(true);
  }
}

/** Whether a section, or a field for a text or a paragraph, hides it now. */
export const isHidden = (attributes) => attribute(attributes, "is-hidden") === "true";

/** All of a paragraph's text, marked where nobody sees it. */
export function shownText({ text, isHidden: isUnseen }) {
  return isUnseen ? appendRun("", text.trim(), { isHidden: true }) : text;
}

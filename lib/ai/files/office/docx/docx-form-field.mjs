import { attribute, isOn, toNumber } from "../xml.mjs";

/** Entries that a list to choose from can have. */
const MAX_ENTRIES = 1_000;

/** A field of a form as Word made them before 2007: its state stands in its definition, and in no text. */
export class FormField {
  #isBox = false;
  #isTicked = false;
  #entries = [];
  #chosen;

  open(name, attributes) {
    const value = attribute(attributes, "val");
    if (name === "checkBox") this.#isBox = true;
    else if (name === "checked" || (name === "default" && this.#isBox)) this.#isTicked = isOn(value);
    else if (name === "listEntry" && this.#entries.length < MAX_ENTRIES) this.#entries.push(value ?? "");
    // What was chosen comes first, then what would have been.
    else if (name === "result" || name === "default") this.#chosen ??= toNumber(value, 0, MAX_ENTRIES);
  }

  /** "" for one whose text stands in the document. */
  toString() {
    if (this.#isBox) return this.#isTicked ? "☒" : "☐";
    return this.#entries[this.#chosen ?? 0] ?? "";
  }
}

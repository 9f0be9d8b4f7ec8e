import { MathText } from "../math.mjs";
import { attribute, isOn } from "../xml.mjs";
import { FormField } from "./docx-form-field.mjs";
import { symbolOf } from "./docx-symbols.mjs";

const NOTES = new Map([
  ["footnoteReference", "^"],
  ["endnoteReference", "^e"],
  ["commentReference", "^c"],
]);
const BREAKS = new Map([
  ["tab", "\t"],
  ["ptab", "\t"],
  ["br", "\n"],
  ["cr", "\n"],
  ["noBreakHyphen", "-"],
]);

/** Takes an element that stands in a paragraph of Word: the look of a run, a break, a symbol, a field, a formula, where a note belongs. */
export function openInParagraph(state, paragraph, name, attributes) {
  const run = state.runs.at(-1);
  const value = attribute(attributes, "val");
  if (run && name === "vertAlign") run.isRaised = value === "superscript";
  else if (run && (name === "strike" || name === "dstrike")) run.isStruck ||= isOn(value);
  else if (run && name === "vanish") run.isHidden = isOn(value);
  else if (name === "sym") paragraph.text += symbolOf(attributes);
  else if (name === "ffData") state.field = new FormField();
  else if (name === "oMath") {
    state.math = new MathText();
    state.math.open(name, attributes);
  }
  // A word across the page, such as "DRAFT".
  else if (name === "textpath") paragraph.text += attribute(attributes, "string") ?? "";
  else if (BREAKS.has(name)) paragraph.text += BREAKS.get(name);
  else if (NOTES.has(name)) paragraph.text += `[${markOf(state.notes, NOTES.get(name), attributes)}]`;
}

/** Notes are counted as they come, as on paper; what the file calls them may be another number. */
export function markOf(notes, kind, attributes) {
  const key = `${kind} ${attribute(attributes, "id")}`;
  if (!notes.has(key)) {
    const count = (notes.get(kind) ?? 0) + 1;
    notes.set(kind, count).set(key, kind + count);
  }
  return notes.get(key);
}

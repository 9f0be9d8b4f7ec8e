import { readAttributes, readEntities } from "@/lib/ai/files/text/html-attributes";

/** Without a text, or with one that is no answer. */
const SILENT_INPUTS = new Set(["hidden", "password", "submit", "reset", "button", "image", "file"]);

/** What was filled into a field of a form, or which box is ticked. */
export function readInput(tag: string): string {
  const attributes = readAttributes(tag);
  const type = attributes.get("type")?.toLowerCase() ?? "text";
  if (type === "checkbox" || type === "radio") return attributes.has("checked") ? " ☒ " : " ☐ ";
  const value = attributes.get("value")?.trim() ?? "";
  return SILENT_INPUTS.has(type) || value === "" ? "" : ` ${value} `;
}

/** A longer list is not one that people choose from. */
const MAX_LIST_CHARACTERS = 1_000_000;

/** What is chosen of a list: as browsers show it, the first where nothing is. */
export function readSelect(tag: string, content: string): string {
  const isMultiple = readAttributes(tag).has("multiple");
  const chosen: string[] = [];
  let first: string | undefined;
  for (const [, attributes = "", text = ""] of content.slice(0, MAX_LIST_CHARACTERS).matchAll(OPTIONS)) {
    if (/\sselected\b/i.test(attributes)) chosen.push(shownText(text));
    else if (!isMultiple) first ??= shownText(text);
  }
  if (chosen.length === 0 && first !== undefined) chosen.push(first);
  return chosen.length === 0 ? "" : ` ${chosen.join(", ")} `;
}

const OPTIONS = /<option\b([^<>]*)>([^<]*)/gi;

function shownText(text: string): string {
  return readEntities(text).replace(/\s+/g, " ").trim();
}

import { readAttributes, readEntities } from "@/lib/ai/files/html-attributes";

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
  const options = [...content.slice(0, MAX_LIST_CHARACTERS).matchAll(/<option\b([^<>]*)>([^<]*)/gi)].map(
    ([, attributes = "", text = ""]) => ({
      isChosen: /\sselected\b/i.test(attributes),
      text: readEntities(text).replace(/\s+/g, " ").trim(),
    }),
  );
  const chosen = options.filter(({ isChosen }) => isChosen);
  const shown = chosen.length > 0 || readAttributes(tag).has("multiple") ? chosen : options.slice(0, 1);
  return shown.length === 0 ? "" : ` ${shown.map(({ text }) => text).join(", ")} `;
}

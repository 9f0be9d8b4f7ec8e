// Plain JavaScript, since a worker runs it from its source.
import { dataFolder, PDF_SETTINGS } from "./pdf-settings.mjs";

/**
 * The pages of a form that stands in a PDF as XML alone, as some authorities and insurers hand them out; its own pages say no more
 * than that another program is needed.
 * @returns undefined for every other document, and for a form of which nothing can be read
 */
export async function readXfaPages(pdf, { maxPages, maxCharacters }) {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  if (!info.IsXFAPresent || info.IsAcroFormPresent) return undefined;
  // What else stands in the document leaves its pages what they are.
  const form = await openForm(await pdf.getData()).catch(() => undefined);
  if (!form?.isPureXfa) return undefined;
  const pages = [];
  let characters = 0;
  for (let number = 1; number <= Math.min(form.numPages, maxPages) && characters < maxCharacters; number++) {
    const page = await form.getPage(number);
    const text = formText(await page.getXfa()).slice(0, maxCharacters - characters);
    pages.push(text);
    characters += text.length;
    page.cleanup();
  }
  return characters > 0 ? { pageCount: form.numPages, pages } : undefined;
}

/** The build inside unpdf leaves out what reads such forms. */
async function openForm(data) {
  const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const settings = { ...PDF_SETTINGS, standardFontDataUrl: dataFolder("standard_fonts"), verbosity: 0 };
  return getDocument({ ...settings, data, enableXfa: true }).promise;
}

/** A line for each text and each field, with what is filled in. */
function formText(tree) {
  const lines = [];
  const write = (node) => {
    if (isHidden(node)) return;
    if (isOf(node, "xfaDraw")) lines.push(wordsOf(node));
    else if (isOf(node, "xfaField")) lines.push(fieldLine(node));
    else node.children?.forEach(write);
  };
  if (tree) write(tree);
  return lines.filter((line) => line !== "").join("\n");
}

const isOf = ({ attributes }, kind) => attributes?.class?.includes(kind) ?? false;
const isHidden = ({ attributes }) =>
  attributes?.style?.display === "none" || attributes?.style?.visibility === "hidden";

const CONTROLS = ["input", "textarea", "select", "button"];

/** "City: Oslo", "[x] Yes". */
function fieldLine(field) {
  const caption = wordsOf(field).replace(/\s*:$/, "");
  const control = findControl(field);
  if (!control) return caption;
  const { type, checked } = control.attributes ?? {};
  if (type === "radio" || type === "checkbox") return `[${checked ? "x" : " "}] ${caption}`.trim();
  const value = filledIn(control);
  return [caption, value].filter((text) => text !== "").join(": ");
}

function findControl(node) {
  if (CONTROLS.includes(node.name)) return node;
  for (const child of node.children ?? []) {
    const control = findControl(child);
    if (control) return control;
  }
  return undefined;
}

function filledIn({ name, attributes = {}, children = [] }) {
  if (name === "textarea") return (attributes.textContent ?? "").trim();
  if (name === "input") return String(attributes.value ?? "").trim();
  const chosen = children.filter((option) => option.attributes?.selected);
  return chosen.map(wordsOf).join(", ");
}

/** Of all that is printed in it, on one line; what can be filled in is no part of it. */
function wordsOf(node) {
  const words = (each) => {
    if (CONTROLS.includes(each.name) || isHidden(each)) return "";
    const inner = (each.value ?? "") + (each.children ?? []).map(words).join("");
    return INLINE.includes(each.name) ? inner : ` ${inner} `;
  };
  return words(node).replace(/\s+/g, " ").trim();
}

const INLINE = ["#text", "span", "a", "b", "i", "sub", "sup"];

import { findInEpub } from "./read-epub.mjs";
import { readSlideList } from "./read-pptx.mjs";
import { readRelations } from "./relations.mjs";
import { Unreadable } from "./unreadable.mjs";
import { attribute, readXml } from "./xml.mjs";

/**
 * The pictures of a document in the order in which they stand there, each once: those of its text and its slides, not those of
 * headers and of what slides have in common. Of workbooks in the order of their names.
 * @param {string} part the main one of an Office Open XML document
 * @returns {Promise<{ slide?: number, read: (maxBytes: number) => Promise<Buffer | undefined> }[]>} undefined for a larger or damaged one
 * @throws {Unreadable} when the document is damaged
 */
export async function findPictures(kind, zip, part) {
  const found = await FINDERS[kind](zip, part);
  const names = new Set();
  return found
    .filter(({ name }) => zip.has(name) && !names.has(name) && names.add(name))
    .map(({ name, slide }) => ({ slide, read: (maxBytes) => readOrNone(zip, name, maxBytes) }));
}

const FINDERS = {
  docx: (zip, part) => namesIn(zip, part),
  pptx: findInSlides,
  odt: findInOpenDocument,
  odp: findInOpenDocument,
  xlsx: findByName,
  ods: findByName,
  epub: findInEpub,
};

async function findInSlides(zip, part) {
  const slides = await readSlideList(zip, part, await readRelations(zip, part));
  const found = [];
  for (const [index, name] of slides.entries()) found.push(...(await namesIn(zip, name, index + 1)));
  return found;
}

/** Of DrawingML and of the older VML. */
async function namesIn(zip, part, slide) {
  const relations = await readRelations(zip, part);
  const found = [];
  await readXml(zip.read(part), {
    open(element, attributes) {
      if (element !== "blip" && element !== "imagedata") return;
      const id = attribute(attributes, element === "blip" ? "embed" : "id") ?? "";
      const relation = relations.get(id);
      if (relation?.type === "image") found.push({ name: relation.target, slide });
    },
  });
  return found;
}

async function findInOpenDocument(zip) {
  const found = [];
  let slide;
  await readXml(zip.read("content.xml"), {
    open(element, attributes) {
      if (element === "page") slide = (slide ?? 0) + 1;
      if (element === "image") found.push({ name: attribute(attributes, "href") ?? "", slide });
    },
  });
  return found;
}

async function findByName(zip) {
  const order = new Intl.Collator("en", { numeric: true });
  return zip
    .names()
    .filter((name) => /^(xl\/media|Pictures)\/./.test(name))
    .toSorted(order.compare)
    .map((name) => ({ name }));
}

async function readOrNone(zip, name, maxBytes) {
  try {
    return await zip.readBytes(name, maxBytes);
  } catch (error) {
    if (error instanceof Unreadable && error.failure === "broken") return undefined;
    throw error;
  }
}

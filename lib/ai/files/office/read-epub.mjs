import { resolveTarget } from "./relations.mjs";
import { Unreadable } from "./unreadable.mjs";
import { attribute, readAside, readXml } from "./xml.mjs";

const CONTAINER = "META-INF/container.xml";

/** Whether an archive is an e-book, also where it does not say so of itself. */
export const isEpub = (zip) => zip.has(CONTAINER);

/** Of all chapters, unpacked: more text than any window takes. */
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_CHAPTERS = 5_000;

/**
 * The chapters of an e-book in the order in which they are read, behind its title and who wrote it. They are pages, which are
 * read elsewhere (fill-inserts.ts): a mark stands where the text of one belongs.
 * @throws {Unreadable} when it is damaged, or locked by its shop
 */
export async function readEpub(zip, output) {
  await refuseLocked(zip);
  const { facts, items, spine } = await readPackage(zip);
  output.begin();
  output.write(facts.map(([name, values]) => `[${name}: ${values.join(", ")}]`).join("\n"));
  const chapters = [];
  let bytes = 0;
  for (const id of spine) {
    const { name, mediaType } = items.get(id) ?? {};
    if (!CHAPTER_TYPE.test(mediaType) || !zip.has(name)) continue;
    bytes += zip.sizeOf(name);
    if (bytes > MAX_BYTES || chapters.length === MAX_CHAPTERS) output.isFull = true;
    if (output.isFull) break;
    output.write(`\n\n\0${chapters.push(name) - 1}\0`);
  }
  const pictures = [...items.values()].filter(isPicture).length;
  return { sectionCount: 1, pictures, inserts: { read: () => readChapters(zip, chapters) } };
}

/** The pictures of an e-book in the order of its own list, which is that of its pages where these are pictures. */
export async function findInEpub(zip) {
  const { items } = await readPackage(zip);
  return [...items.values()].filter(isPicture);
}

const CHAPTER_TYPE = /^(application\/xhtml\+xml|text\/(html|x-oeb1-document))$/;

const isPicture = ({ mediaType }) => /^image\/(?!svg)/.test(mediaType);

async function readChapters(zip, names) {
  const chapters = [];
  // More than they said of themselves is more than was counted.
  for (const name of names)
    chapters.push({ bytes: (await zip.readBytes(name, MAX_BYTES)) ?? new Uint8Array(), isChapter: true });
  return chapters;
}

/** What the package says: title and authors, all its files by their number, and the numbers of those that are read one after another. */
async function readPackage(zip) {
  const part = await findPackage(zip);
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const facts = new Map();
  const items = new Map();
  const spine = [];
  let fact;
  await readXml(zip.read(part), {
    open(name, attributes) {
      fact = FACTS.get(name);
      if (fact && !facts.has(fact)) facts.set(fact, []);
      if (fact) facts.get(fact).push("");
      if (name === "item") {
        const mediaType = attribute(attributes, "media-type") ?? "";
        items.set(attribute(attributes, "id"), {
          name: targetOf(folder, attribute(attributes, "href") ?? ""),
          mediaType,
        });
      }
      if (name === "itemref") spine.push(attribute(attributes, "idref"));
    },
    text(text) {
      if (fact) facts.get(fact).push(facts.get(fact).pop() + text);
    },
    close() {
      fact = undefined;
    },
  });
  return { facts: tidy(facts), items, spine };
}

const FACTS = new Map([
  ["title", "Title"],
  ["creator", "Author"],
]);
/** Of a title; longer ones are none. */
const MAX_FACT_CHARACTERS = 300;
const MAX_VALUES = 10;

function tidy(facts) {
  const values = (texts) => texts.map((text) => text.replace(/\s+/g, " ").trim().slice(0, MAX_FACT_CHARACTERS));
  const found = [...facts].map(([name, texts]) => [name, values(texts.slice(0, MAX_VALUES)).filter(Boolean)]);
  return found.filter(([, texts]) => texts.length > 0);
}

async function findPackage(zip) {
  let part;
  await readXml(zip.read(CONTAINER), {
    open(name, attributes) {
      if (name === "rootfile") part ??= attribute(attributes, "full-path");
    },
  });
  if (part === undefined || !zip.has(part)) throw new Unreadable("broken", "an e-book without its list of chapters");
  return part;
}

/** Names are written as addresses are: with blanks as "%20". */
function targetOf(folder, href) {
  const path = href.replace(/#.*$/, "");
  try {
    return resolveTarget(folder, decodeURIComponent(path));
  } catch {
    return resolveTarget(folder, path);
  }
}

const ENCRYPTION = "META-INF/encryption.xml";
/** Fonts are made unusable outside of their book, which locks nothing that is read. */
const FONT_ALGORITHM = /^http:\/\/(www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/;

async function refuseLocked(zip) {
  if (!zip.has(ENCRYPTION)) return;
  await readAside(zip.read(ENCRYPTION), {
    open(name, attributes) {
      if (name !== "EncryptionMethod" || FONT_ALGORITHM.test(attribute(attributes, "Algorithm") ?? "")) return;
      throw new Unreadable("unsupported", "an e-book that its shop has locked (DRM). Send one that is not locked.");
    },
  });
}

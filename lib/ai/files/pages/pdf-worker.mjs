// Reads the text of one PDF, in a thread that may be ended at any moment (see host-worker.mjs). Plain JavaScript, run from
// its source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import { readCover } from "./page-cover.mjs";
import { findHiddenLayers, splitByLayers } from "./pdf-layers.mjs";
import { isGibberish, joinItems } from "./pdf-lines.mjs";
import { readLooks } from "./pdf-looks.mjs";
import { PDF_SETTINGS } from "./pdf-settings.mjs";
import { openDocument } from "./pdf-source.mjs";
import { readXfaPages } from "./pdf-xfa.mjs";

// A PDF has no business with the network.
globalThis.fetch = undefined;

/**
 * Sends the pages up to the limits, in order: `{ pageCount, pages, scannedPages, attachedNames, moreAttached }`, then, where they are asked
 * for, `{ attached, bytes }` of each file that came along, and then, which takes longer where a page is a drawing, `{ page, pictures }` of
 * each with pictures beside its text, behind `{ isCounting }`.
 */
async function readPages({ maxPages, maxCharacters, isWithFiles, ...source }) {
  const pdf = await openDocument(source, {
    ...PDF_SETTINGS,
    verbosity: 0,
    maxImageSize: 0,
  });
  const form = await readXfaPages(pdf, { maxPages, maxCharacters });
  if (form) return parentPort.postMessage({ part: { ...form, scannedPages: [] } });
  const layers = await findHiddenLayers(pdf);
  const pages = [];
  const scannedPages = [];
  const long = [];
  const files = await listFiles(pdf);
  let characters = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, maxPages) && characters < maxCharacters; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const { seen, hidden } = await splitByLayers(page, items, layers);
    const printed = readableText(seen);
    // A page without a text layer is shown as it looks, with all that is on it.
    const added =
      printed === "" ? "" : (await readAdded(page, files)) + listUnder("[Not shown]", [readableText(hidden)]);
    const text = (printed + added).slice(0, maxCharacters - characters);
    pages.push(text);
    if (printed.length > MAX_STAMP_CHARACTERS) long.push(number);
    else if (printed === "" || (await isScan(page))) scannedPages.push(number);
    characters += text.length;
    page.cleanup();
  }
  const named = [...files].slice(0, MAX_FILES);
  const attachedNames = named.map(([, name]) => name);
  const moreAttached = files.size - named.length;
  parentPort.postMessage({ part: { pageCount: pdf.numPages, pages, scannedPages, attachedNames, moreAttached } });
  // Behind a text that is cut nothing of them would be seen.
  if (isWithFiles && characters < maxCharacters) await sendFiles(pdf, named);
  parentPort.postMessage({ part: { isCounting: true } });
  for (const number of long) {
    const page = await pdf.getPage(number);
    sendPictures(page, await readCover(page));
    page.cleanup();
  }
}

/** By their ids, the names of the files that came along; those that hang on a page are added when it is read. */
async function listFiles(pdf) {
  // Damage here leaves the text what it is.
  const found = await pdf.getAttachments().catch(() => undefined);
  const entries = found instanceof Map ? [...found] : Object.entries(found ?? {});
  return new Map(entries.map(([id, { filename }]) => [id, nameOf(filename)]));
}

const nameOf = (filename) =>
  filename
    .replace(/[\s[\]]+/g, " ")
    .trim()
    .slice(0, MAX_NAME_CHARACTERS) || "unnamed";

const MAX_NAME_CHARACTERS = 255;
/** As many as are read of a mail; all others are counted. */
const MAX_FILES = 50;
/** Of all of them together, unpacked. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

async function sendFiles(pdf, named) {
  let left = MAX_FILE_BYTES;
  for (const [index, [id]] of named.entries()) {
    const bytes = await pdf.getAttachmentContent(id).catch(() => undefined);
    if (!bytes || bytes.byteLength > left) continue;
    left -= bytes.byteLength;
    parentPort.postMessage({ part: { attached: index, bytes } });
  }
}

function readableText(items) {
  const text = joinItems(items);
  return isGibberish(text) ? "" : text;
}

async function isScan(page) {
  const cover = await readCover(page);
  if (cover.share >= LEAST_COVERED) return true;
  sendPictures(page, cover);
  return false;
}

function sendPictures({ pageNumber }, { pictures }) {
  if (pictures > 0) parentPort.postMessage({ part: { page: pageNumber, pictures } });
}

/** Scanners and their apps print a line onto what they scan: a name, a time, the number of a page. */
const MAX_STAMP_CHARACTERS = 200;
/** Of such a page, which its pictures cover at least. */
const LEAST_COVERED = 0.5;

const HIDDEN_FLAGS = 0x02 | 0x20;

/** What was filled into the forms of a page and written onto it afterwards: no part of its printed text. */
async function readAdded(page, files) {
  // Damage here leaves the text what it is.
  const annotations = await page.getAnnotations().catch(() => []);
  const shown = annotations.filter(({ annotationFlags }) => !(annotationFlags & HIDDEN_FLAGS));
  for (const { file, fileId } of annotations) if (file && fileId) files.set(fileId, nameOf(file.filename));
  const fields = shown.filter(({ subtype }) => subtype === "Widget").map(readField);
  // A popup tells again what the note says that it belongs to; a link is in the text.
  const notes = shown.filter(({ subtype }) => !["Widget", "Popup", "Link"].includes(subtype)).map(readNote);
  const stamps = await readStamps(page, shown);
  return listUnder("[Filled in]", fields) + listUnder("[Signatures and stamps]", stamps) + listUnder("[Notes]", notes);
}

async function readStamps(page, annotations) {
  const stamps = annotations.filter(({ subtype, fieldType }) => subtype === "Stamp" || fieldType === "Sig");
  const looks = await readLooks(
    page,
    stamps.map(({ id }) => id),
  );
  return stamps.map(({ id, subtype }) => {
    const words = looks.get(id)?.slice(0, MAX_WORDS_CHARACTERS) ?? "";
    return words === "" ? "" : `${subtype === "Stamp" ? "stamp" : "signature"}: ${words}`;
  });
}

/** A note with the words that it is about; what was struck out says so without one. */
function readNote({ subtype, contentsObj, overlaidText, file }) {
  const note = withLineFeeds(contentsObj?.str ?? "").trim();
  const words = overlaidText?.trim().slice(0, MAX_WORDS_CHARACTERS) ?? "";
  if (file?.filename) return `attached file: ${nameOf(file.filename)}`;
  if (subtype === "StrikeOut" && words !== "") return `struck out: "${words}"${note === "" ? "" : ` (${note})`}`;
  return note === "" || words === "" ? note : `on "${words}": ${note}`;
}

const MAX_WORDS_CHARACTERS = 500;

/** Forms end a line of an address with a carriage return alone, which would join its words. */
const withLineFeeds = (text) => text.replace(/\r\n?/g, "\n");

function readField(field) {
  const { fieldType, fieldName, alternativeText, fieldValue, checkBox, exportValue, buttonValue, options } = field;
  // Hidden by points on the page.
  if (field.password) return "";
  const value = fieldType === "Btn" ? pressed() : [fieldValue ?? ""].flat().map(displayed).join(", ").trim();
  return value === "" ? "" : `${alternativeText || fieldName}: ${value}`;

  function pressed() {
    const own = checkBox ? exportValue : buttonValue;
    if (!own || fieldValue !== own) return "";
    return checkBox ? "checked" : own;
  }

  function displayed(chosen) {
    return options?.find((option) => option.exportValue === chosen)?.displayValue ?? withLineFeeds(String(chosen));
  }
}

function listUnder(title, lines) {
  const written = lines.filter((line) => line !== "");
  return written.length === 0 ? "" : `\n\n${title}\n${written.join("\n")}`;
}

try {
  await readPages(workerData);
  parentPort.postMessage({ result: {} });
} catch (error) {
  parentPort.postMessage({
    failure: error?.name === "PasswordException" ? "encrypted" : "broken",
    detail: String(error),
  });
}

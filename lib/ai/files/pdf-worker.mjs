// Reads the text of one PDF, in a thread that may be ended at any moment (see host-worker.mjs). Plain JavaScript, run from
// its source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import { getDocumentProxy } from "unpdf";

// A PDF has no business with the network.
globalThis.fetch = undefined;

/** @returns {Promise<{ pageCount: number, pages: string[] }>} pages up to the limits, in order */
async function readPages({ bytes, maxPages, maxCharacters }) {
  const pdf = await getDocumentProxy(bytes, {
    verbosity: 0,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    maxImageSize: 0,
    stopAtErrors: false,
  });
  const pages = [];
  let characters = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, maxPages) && characters < maxCharacters; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const text = joinItems(items).slice(0, maxCharacters - characters);
    pages.push(text);
    characters += text.length;
    page.cleanup();
  }
  return { pageCount: pdf.numPages, pages };
}

/** Items are runs of text; where a line ends is marked, where a gap stands for a blank is not. */
function joinItems(items) {
  let text = "";
  for (const item of items) {
    if (typeof item.str !== "string") continue;
    text += item.str;
    if (item.hasEOL) text += "\n";
  }
  return text.replace(/[ \t]+\n/g, "\n").trim();
}

try {
  parentPort.postMessage({ result: await readPages(workerData) });
} catch (error) {
  parentPort.postMessage({
    failure: error?.name === "PasswordException" ? "encrypted" : "broken",
    detail: String(error),
  });
}

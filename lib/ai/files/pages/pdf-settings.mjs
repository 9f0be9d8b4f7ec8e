// What the readers of PDFs have in common. Plain JavaScript, run from its source by their threads.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PDFJS_FOLDER = dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")));

/** Of a folder of pdf.js' own data, which asks for a slash at the end on every system. */
export const dataFolder = (name) => `${join(PDFJS_FOLDER, name)}/`;

/** A document is read as data: nothing in it is run or asked for elsewhere. */
export const PDF_SETTINGS = {
  // Chinese, Japanese and Korean documents name the tables by which their codes are letters, and do not bring them.
  cMapUrl: dataFolder("cmaps"),
  cMapPacked: true,
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  enableXfa: false,
  stopAtErrors: false,
};

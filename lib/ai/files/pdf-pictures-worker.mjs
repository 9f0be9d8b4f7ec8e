// Draws pages of one PDF as pictures, in a thread that may be ended at any moment (see host-worker.mjs). Plain
// JavaScript, run from its source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import * as canvasModule from "@napi-rs/canvas";
import { createIsomorphicCanvasFactory, definePDFJSModule, getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { dataFolder, PDF_SETTINGS } from "./pdf-settings.mjs";
import { searchRow } from "./search-row.mjs";

// A PDF has no business with the network.
globalThis.fetch = undefined;

// The build inside unpdf leaves out what unpacks fax, JBIG2 and JPEG 2000, in which most scanners pack black and white.
await definePDFJSModule(() => import("pdfjs-dist/legacy/build/pdf.mjs"));

/** Pixels for one point of the page: 144 to an inch, enough for small print. */
const PIXELS_PER_POINT = 2;
const MAX_SIDE_PIXELS = 2_048;
/** Of a picture inside the document: a page scanned at 600 dots to an inch has 35 million. */
const MAX_IMAGE_PIXELS = 40_000_000;
const JPEG_QUALITY = 80;
/** Documents whose pages share all that they hold weigh the same on each page: that says nothing of any. */
const MAX_HEAVY_PAGES = 3;
/** Of all pages together, where much of what they hold is shared. */
const MAX_WEIGHED_BYTES = 256 * 1024 * 1024;
/** A document may hold much beside its pages that is looked through for each; drawing a few tells something, too. */
const MAX_WEIGHING_MS = 8_000;

/** Whether something of the page now drawn could not be; the library only says so on the console. */
let hasTrouble = false;
/** Whether a picture inside the page now looked at was left out. */
let hasImage = false;
console.warn = (message) => {
  if (/image exceeded maximum/i.test(message)) hasImage = true;
  // A font that looks a little different is no trouble; one that cannot be used at all leaves nothing of its text.
  hasTrouble ||= !/font/i.test(message) || /font loading|loadFont/.test(message);
};

/**
 * Sends each page as it is ready: `{ page, width, height, bytes }`, `{ page, isBlank }` or `{ page, isBroken }`. A look
 * unpacks no picture, which is what takes the time: it sends `{ page, width, height, hasImage }` instead of bytes, and then
 * `{ page, packedBytes }` of pages with pictures. A sample draws at most `maxPictures`, by their places in the row.
 */
async function drawPages({ bytes, pages, maxPixels, maxPictures = Number.POSITIVE_INFINITY, mode = "draw" }) {
  const CanvasFactory = await boundedFactory();
  const isLook = mode === "look";
  const size = bytes.byteLength;
  const pdf = await getDocumentProxy(bytes, {
    ...PDF_SETTINGS,
    CanvasFactory,
    wasmUrl: dataFolder("wasm"),
    standardFontDataUrl: dataFolder("standard_fonts"),
    verbosity: 1,
    isOffscreenCanvasSupported: false,
    maxImageSize: isLook ? 1 : MAX_IMAGE_PIXELS,
  });
  const send = async (page) => {
    const options = { maxPixels, isLook, isSilent: mode !== "draw" };
    const drawn = await drawPage(pdf, page, new CanvasFactory(), options).catch(() => ({ isBroken: true }));
    parentPort.postMessage({ part: { page, ...drawn } });
    return drawn;
  };
  if (mode === "sample") {
    await searchRow(pages.length, maxPictures, async (index) => "width" in (await send(pages[index])));
    return {};
  }
  let pictures = 0;
  const withImage = [];
  for (const page of pages) {
    if (pictures >= maxPictures) break;
    const drawn = await send(page);
    if ("width" in drawn) pictures += 1;
    if (drawn.hasImage) withImage.push(page);
  }
  if (isLook) await weighPages(pdf, withImage, size);
  return {};
}

/** A page with pictures weighs what it takes as a document of its own, with nothing unpacked: under a millisecond each. */
async function weighPages(pdf, pages, documentBytes) {
  const endsAt = performance.now() + MAX_WEIGHING_MS;
  let heavy = 0;
  let sum = 0;
  for (const page of pages) {
    if (performance.now() > endsAt) return;
    const alone = await pdf.extractPages([{ document: null, includePages: [page - 1] }]);
    if (!alone) continue;
    const packedBytes = alone.byteLength;
    sum += packedBytes;
    if (packedBytes > documentBytes / 2) heavy += 1;
    if (heavy > MAX_HEAVY_PAGES || sum > MAX_WEIGHED_BYTES) return;
    parentPort.postMessage({ part: { page, packedBytes } });
  }
}

async function boundedFactory() {
  const CanvasFactory = await createIsomorphicCanvasFactory(() => canvasModule);
  return class extends CanvasFactory {
    _createCanvas(width, height) {
      if (!(width * height <= MAX_IMAGE_PIXELS)) throw new Error("a canvas too large");
      return super._createCanvas(width, height);
    }
  };
}

async function drawPage(pdf, number, factory, { maxPixels, isLook, isSilent }) {
  hasTrouble = false;
  hasImage = false;
  const page = await pdf.getPage(number);
  const viewport = page.getViewport({ scale: scaleOf(page.getViewport({ scale: 1 }), maxPixels) });
  const width = Math.max(1, Math.floor(viewport.width));
  const height = Math.max(1, Math.floor(viewport.height));
  // Most pages are known by what they say they do, with nothing drawn.
  const isEmpty = isLook && (await isWithoutPaint(page));
  if (isLook && hasImage) return { width, height, hasImage };
  if (isEmpty && !hasTrouble) return { isBlank: true };
  const surface = factory.create(width, height);
  try {
    await page.render({ canvas: surface.canvas, canvasContext: surface.context, viewport }).promise;
    const { data } = surface.context.getImageData(0, 0, width, height);
    if (isOneColour(data)) return hasTrouble ? { isBroken: true } : { isBlank: true };
    if (isSilent) return { width, height, hasImage };
    return { width, height, bytes: new Uint8Array(await surface.canvas.encode("jpeg", JPEG_QUALITY)) };
  } finally {
    factory.destroy(surface);
    page.cleanup();
  }
}

/** Whether the page does nothing that leaves a trace; pictures that are left out do not count. */
async function isWithoutPaint(page) {
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.every((code, index) => QUIET.test(nameOf(code === OPS.constructPath ? argsArray[index][0] : code)));
}

const { OPS } = await getResolvedPDFJS();
const NAMES = new Map(Object.entries(OPS).map(([name, code]) => [code, name]));
const nameOf = (code) => NAMES.get(code) ?? "unknown";
/** What sets, moves, groups or clips; all that may paint is not in it. */
const QUIET =
  /^(set\w+|save|restore|transform|dependency|(begin|end)(Text|MarkedContent|MarkedContentProps|Group|Annotation|Compat)|endPath|clip|eoClip|moveText|nextLine|markPoint|markPointProps|paintFormXObject(Begin|End))$/;

/** A page says of itself how large it is: a poster or a strip must not become more pixels than any other. */
function scaleOf({ width, height }, maxPixels) {
  if (!(width > 0 && height > 0 && Number.isFinite(width * height))) throw new Error("a page without a size");
  return Math.min(PIXELS_PER_POINT, MAX_SIDE_PIXELS / Math.max(width, height), Math.sqrt(maxPixels / (width * height)));
}

function isOneColour(data) {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  return pixels.every((pixel) => pixel === pixels[0]);
}

try {
  parentPort.postMessage({ result: await drawPages(workerData) });
} catch (error) {
  parentPort.postMessage({ failure: "broken", detail: String(error) });
}

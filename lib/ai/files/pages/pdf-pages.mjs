// Draws pages of a PDF. Plain JavaScript, run from its source by a thread.
import * as canvasModule from "@napi-rs/canvas";
import { createIsomorphicCanvasFactory, definePDFJSModule, getResolvedPDFJS } from "unpdf";
import { isOneColour, JPEG_QUALITY, scaleOf } from "./page-picture.mjs";
import { dataFolder, PDF_SETTINGS } from "./pdf-settings.mjs";
import { openDocument } from "./pdf-source.mjs";

// A PDF has no business with the network.
globalThis.fetch = undefined;

// The build inside unpdf leaves out what unpacks fax, JBIG2 and JPEG 2000, in which most scanners pack black and white.
await definePDFJSModule(() => import("pdfjs-dist/legacy/build/pdf.mjs"));

/** Pixels for one point of the page: 144 to an inch, enough for small print. */
const PIXELS_PER_POINT = 2;
/** Of a picture inside the document: a page scanned at 600 dots to an inch has 35 million. */
const MAX_IMAGE_PIXELS = 40_000_000;
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

/** How its pages are drawn, and what those with pictures weigh; a look unpacks no picture. */
export async function openPdf(source, { maxPixels, isLook, isSilent }) {
  const CanvasFactory = await boundedFactory();
  const size = source.size ?? source.bytes.byteLength;
  const pdf = await openDocument(source, {
    ...PDF_SETTINGS,
    CanvasFactory,
    wasmUrl: dataFolder("wasm"),
    standardFontDataUrl: dataFolder("standard_fonts"),
    verbosity: 1,
    isOffscreenCanvasSupported: false,
    maxImageSize: isLook ? 1 : MAX_IMAGE_PIXELS,
  });
  return {
    drawPage: (number) => drawPage(pdf, number, new CanvasFactory(), { maxPixels, isLook, isSilent }),
    weighPages: (pages, send) => weighPages(pdf, pages, size, send),
  };
}

/** A page with pictures weighs what it takes as a document of its own, with nothing unpacked: under a millisecond each. */
async function weighPages(pdf, pages, documentBytes, send) {
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
    send(page, packedBytes);
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
  const viewport = page.getViewport({ scale: scaleOf(page.getViewport({ scale: 1 }), maxPixels, PIXELS_PER_POINT) });
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

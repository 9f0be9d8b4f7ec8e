// Draws pages of one PDF or TIFF, in a thread that may be ended at any moment (see host-worker.mjs). Plain JavaScript, run from
// its source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import { isMissingPart } from "../reader/missing-part.mjs";
import { searchRow } from "./search-row.mjs";
import { isTiff } from "./tiff-frames.mjs";

/**
 * Sends each page as it is ready: `{ page, width, height, bytes }`, `{ page, isBlank }` or `{ page, isBroken }`. A look
 * unpacks no picture, which is what takes the time: it sends `{ page, width, height, hasImage }` instead of bytes, and then
 * `{ page, packedBytes }` of pages with pictures. A sample draws at most `maxPictures`, by their places in the row.
 */
async function drawPages({ bytes, size, pages, maxPixels, maxPictures = Number.POSITIVE_INFINITY, mode = "draw" }) {
  const isLook = mode === "look";
  const { drawPage, weighPages } = await open({ bytes, size }, { maxPixels, isLook, isSilent: mode !== "draw" });
  const send = async (page) => {
    const drawn = await drawPage(page).catch(() => ({ isBroken: true }));
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
  if (isLook)
    await weighPages(withImage, (page, packedBytes) => parentPort.postMessage({ part: { page, packedBytes } }));
  return {};
}

/** What draws one kind is not loaded for the other. */
async function open(source, options) {
  if (isTiff(source.bytes)) return (await import("./tiff-pages.mjs")).openTiff(source.bytes, options);
  return (await import("./pdf-pages.mjs")).openPdf(source, options);
}

try {
  parentPort.postMessage({ result: await drawPages(workerData) });
} catch (error) {
  if (isMissingPart(error)) throw error;
  parentPort.postMessage({ failure: "broken", detail: String(error) });
}

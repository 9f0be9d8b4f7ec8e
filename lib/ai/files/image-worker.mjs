// Redraws one photo upright, in a thread that may be ended at any moment (see host-worker.mjs). Plain JavaScript, run from its
// source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import { createCanvas, loadImage } from "@napi-rs/canvas";

/** Little is lost, and less than a page's picture would: small print was photographed. */
const JPEG_QUALITY = 90;

/** What loads a photo turns it as its camera says. */
async function redraw(bytes) {
  const photo = await loadImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const canvas = createCanvas(photo.width, photo.height);
  canvas.getContext("2d").drawImage(photo, 0, 0);
  return { width: photo.width, height: photo.height, bytes: new Uint8Array(await canvas.encode("jpeg", JPEG_QUALITY)) };
}

try {
  parentPort.postMessage({ result: await redraw(workerData.bytes) });
} catch (error) {
  parentPort.postMessage({ failure: "broken", detail: String(error) });
}

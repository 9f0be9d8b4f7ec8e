// Redraws one picture as a JPEG, upright, or pieces of it, in a thread that may be ended at any moment (see host-worker.mjs). Plain
// JavaScript, run from its source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import { isMissingPart } from "../reader/missing-part.mjs";

/** Little is lost, and less than a page's picture would: small print was photographed. */
const JPEG_QUALITY = 90;

/** Turned as the camera was held. What one can see through stands on white. */
async function redraw(bytes, pieces, orientation) {
  const { createCanvas, loadImage } = await import("@napi-rs/canvas");
  const picture = await loadImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const turn = turnOf(orientation, picture);
  const isOnItsSide = turn?.[0] === 0;
  const [broad, high] = isOnItsSide ? [picture.height, picture.width] : [picture.width, picture.height];
  const drawn = [];
  for (const { width, height, part = { x: 0, y: 0, width: broad, height: high } } of pieces) {
    const canvas = createCanvas(width, height);
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    if (turn) {
      context.scale(width / part.width, height / part.height);
      context.translate(-part.x, -part.y);
      context.transform(...turn);
      context.drawImage(picture, 0, 0);
    } else context.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, width, height);
    drawn.push({ width, height, bytes: new Uint8Array(await canvas.encode("jpeg", JPEG_QUALITY)) });
  }
  return drawn;
}

/** What brings a picture of this size upright, as Exif numbers it: as of `context.transform`; undefined where it is. */
function turnOf(orientation, { width, height }) {
  return [
    undefined,
    [-1, 0, 0, 1, width, 0],
    [-1, 0, 0, -1, width, height],
    [1, 0, 0, -1, 0, height],
    [0, 1, 1, 0, 0, 0],
    [0, 1, -1, 0, height, 0],
    [0, -1, -1, 0, height, width],
    [0, -1, 1, 0, 0, width],
  ][orientation - 1];
}

/** Of a kind that models do not take. Of a look, and of one with more pixels than may be unpacked, the size alone. */
async function convert(bytes, format, maxPixels) {
  const magick = await import("./magick.mjs");
  const size = magick.sizeOf(bytes, format);
  if (size.width * size.height > maxPixels) return size;
  return magick.withPicture(bytes, format, 0, (picture) => {
    const { width, height } = picture;
    return { width, height, bytes: magick.toJpeg(picture, JPEG_QUALITY) };
  });
}

try {
  const { bytes, format, maxPixels, pieces, orientation } = workerData;
  const result = format ? await convert(bytes, format, maxPixels) : await redraw(bytes, pieces, orientation);
  parentPort.postMessage({ result });
} catch (error) {
  if (isMissingPart(error)) throw error;
  parentPort.postMessage({ failure: "broken", detail: String(error) });
}

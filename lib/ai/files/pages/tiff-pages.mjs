// Draws pages of a TIFF. Plain JavaScript, run from its source by a thread.
import { isOneColour, JPEG_QUALITY, scaleOf } from "./page-picture.mjs";
import { tiffFrames } from "./tiff-frames.mjs";

/** Lines and columns have changed places. */
const FIRST_ON_ITS_SIDE = 5;
/** Of a page as stored: one scanned at 600 dots to an inch has 35 million, a drawing on A1 twice that. */
const MAX_STORED_PIXELS = 100_000_000;

/** How its pages are drawn; what each is packed in is not known. */
export async function openTiff(bytes, { maxPixels, isLook, isSilent }) {
  const frames = tiffFrames(bytes);
  const magick = isLook ? undefined : await import("../pictures/magick.mjs");
  const drawPage = async (number) => {
    const frame = frames[number - 1];
    const size = sizeOf(frame, maxPixels);
    if (!magick) return { ...size, hasImage: true };
    return magick.withPicture(bytes, "TIFF", frame.index, (picture) => {
      picture.resize(magick.exactly(size));
      const data = picture.getPixels((pixels) => pixels.toByteArray(0, 0, size.width, size.height, "RGBA"));
      if (isOneColour(data)) return { isBlank: true };
      return isSilent ? { ...size, hasImage: true } : { ...size, bytes: magick.toJpeg(picture, JPEG_QUALITY) };
    });
  };
  return { drawPage, weighPages: async () => {} };
}

/** Of the page's picture: upright, with square pixels, and no larger than it is stored. */
function sizeOf({ width, height, orientation, stretch }, maxPixels) {
  if (width * height > MAX_STORED_PIXELS) throw new Error("a page too large");
  const [broad, high] = [width * Math.max(1, 1 / stretch), height * Math.max(1, stretch)];
  const isOnItsSide = orientation >= FIRST_ON_ITS_SIDE;
  const upright = isOnItsSide ? { width: high, height: broad } : { width: broad, height: high };
  const scale = scaleOf(upright, maxPixels, 1);
  const pixels = (side) => Math.max(1, Math.floor(side * scale));
  return { width: pixels(upright.width), height: pixels(upright.height) };
}

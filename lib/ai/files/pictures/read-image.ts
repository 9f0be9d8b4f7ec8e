import { isImageCutOff } from "@/lib/ai/files/pictures/is-image-cut-off";
import { type ImageSize, readImageSize } from "@/lib/ai/files/pictures/read-image-size";
import { TurnError } from "@/lib/domain/turn-errors";

/** What providers take as one picture. */
export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
/** A picture with more pixels is made smaller. */
export const MAX_SENT_PIXELS = 50_000_000;
/** What one process can unpack: the largest photo of a phone, or a drawing on A0 at 200 dots to an inch. */
const MAX_IMAGE_PIXELS = 110_000_000;
/** A JPEG has no more; long ones are cut. */
const MAX_IMAGE_SIDE_PIXELS = 65_535;

/** What is said of a picture that cannot be unpacked. */
export const DAMAGED_IMAGE = "The image is damaged and could not be read.";
export const TOO_COMPLEX_IMAGE = "The image is too complex to be read.";

/**
 * The size of a picture that may be shown to the model; its pixels stay as they are, undecoded.
 * @throws TurnError UNSUPPORTED_FILE when it is too large or damaged
 */
export function checkImage(bytes: Uint8Array): ImageSize {
  const size = readImageSize(bytes);
  if (!size || isImageCutOff(bytes)) throw new TurnError("UNSUPPORTED_FILE", DAMAGED_IMAGE);
  return checkImageSize(size);
}

/** @throws TurnError UNSUPPORTED_FILE when a picture of this size may not be shown */
export function checkImageSize(size: ImageSize, maxPixels = MAX_IMAGE_PIXELS): ImageSize {
  if (size.width === 0 || size.height === 0) throw new TurnError("UNSUPPORTED_FILE", DAMAGED_IMAGE);
  if (size.width * size.height > maxPixels || Math.max(size.width, size.height) > MAX_IMAGE_SIDE_PIXELS) {
    throw new TurnError(
      "UNSUPPORTED_FILE",
      `The image has ${size.width} × ${size.height} pixels; at most ${maxPixels / 1_000_000} million, and ${MAX_IMAGE_SIDE_PIXELS} on a side, can be read.`,
    );
  }
  return size;
}

import { FIRST_ON_ITS_SIDE, readOrientation, UPRIGHT } from "@/lib/ai/files/pictures/camera-note";
import { DAMAGED_IMAGE, MAX_IMAGE_BYTES, MAX_SENT_PIXELS } from "@/lib/ai/files/pictures/read-image";
import type { ImageSize } from "@/lib/ai/files/pictures/read-image-size";
import { redrawImage } from "@/lib/ai/files/pictures/redraw-image";
import type { ProcessLimits } from "@/lib/ai/files/reader/run-reader";
import { TurnError } from "@/lib/domain/turn-errors";

/** A picture as it is to be looked at. */
export interface UprightImage extends ImageSize {
  bytes: Uint8Array;
  mediaType: string;
}

/**
 * A picture as models see it right. Phones keep what their sensor saw and note beside it how they were held, and models see the sensor's
 * picture alone, with its text on its side; and providers take only so many bytes and pixels. Such a picture is redrawn as a JPEG, in a
 * process of its own; any other, and a photo that cannot be redrawn, stays as it is.
 * @param size of the picture as it was sent
 * @throws TurnError UNSUPPORTED_FILE when it has too many of them and cannot be redrawn; the signal's own reason
 */
export async function turnUpright(
  image: Omit<UprightImage, keyof ImageSize>,
  size: ImageSize,
  limits: ProcessLimits,
): Promise<UprightImage> {
  const { bytes } = image;
  const isTooLarge = isTooMuch(bytes, size);
  if (!isTooLarge && readOrientation(bytes) <= UPRIGHT) return { ...size, ...image };
  try {
    const report = await redrawImage(bytes, [uprightSize(bytes, size)], limits);
    const [drawn] = "result" in report ? report.result : [];
    if (drawn) return { ...drawn, mediaType: "image/jpeg" };
    if (isTooLarge) throw new TurnError("UNSUPPORTED_FILE", DAMAGED_IMAGE);
  } catch (error) {
    if (!(error instanceof TurnError) || isTooLarge) throw error;
  }
  return { ...size, ...image };
}

/** The size of a picture when it is upright and small enough, without drawing it. */
export function uprightSize(bytes: Uint8Array, size: ImageSize): ImageSize {
  const most = isTooMuch(bytes, size) ? MAX_REDRAWN_SIDE_PIXELS : Number.POSITIVE_INFINITY;
  const { width, height } = turnedSize(bytes, size);
  const scale = Math.min(1, most / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The size of a picture when it is upright, with all its pixels. */
export function turnedSize(bytes: Uint8Array, { width, height }: ImageSize): ImageSize {
  return readOrientation(bytes) >= FIRST_ON_ITS_SIDE ? { width: height, height: width } : { width, height };
}

function isTooMuch(bytes: Uint8Array, { width, height }: ImageSize): boolean {
  return bytes.byteLength > MAX_IMAGE_BYTES || width * height > MAX_SENT_PIXELS;
}

/** Of a picture that is too large; providers make larger ones smaller themselves. */
const MAX_REDRAWN_SIDE_PIXELS = 4_096;

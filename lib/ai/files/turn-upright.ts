import { DAMAGED_IMAGE, MAX_IMAGE_BYTES, MAX_SENT_PIXELS } from "@/lib/ai/files/read-image";
import { type ImageSize, MAX_SEGMENTS } from "@/lib/ai/files/read-image-size";
import { redrawImage } from "@/lib/ai/files/redraw-image";
import type { ProcessLimits } from "@/lib/ai/files/run-reader";
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

const UPRIGHT = 1;
const FIRST_ON_ITS_SIDE = 5;
const LAST = 8;
const ORIENTATION_TAG = 0x0112;
const TAG_BYTES = 12;

/** Of a JPEG, as its camera wrote it, from 1 to 8; 1 where it says nothing. */
function readOrientation(bytes: Uint8Array): number {
  try {
    return findOrientation(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return UPRIGHT;
    throw error;
  }
}

/** @throws RangeError where it ends too early */
function findOrientation(photo: Buffer): number {
  if (photo.readUInt16BE(0) !== 0xffd8) return UPRIGHT;
  for (let offset = 2, count = 0; count < MAX_SEGMENTS && photo.readUInt8(offset) === 0xff; count++) {
    const marker = photo.readUInt8(offset + 1);
    // Pixels follow.
    if (marker === 0xda) break;
    const length = photo.readUInt16BE(offset + 2);
    if (marker === 0xe1 && photo.toString("latin1", offset + 4, offset + 10) === "Exif\0\0") {
      return readTag(photo.subarray(offset + 10, offset + 2 + length));
    }
    offset += 2 + Math.max(2, length);
  }
  return UPRIGHT;
}

function readTag(exif: Buffer): number {
  const isLittle = exif.toString("latin1", 0, 2) === "II";
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at));
  const start = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4);
  for (let index = 0; index < short(start); index++) {
    const at = start + 2 + index * TAG_BYTES;
    if (short(at) !== ORIENTATION_TAG) continue;
    const orientation = short(at + 8);
    return orientation >= UPRIGHT && orientation <= LAST ? orientation : UPRIGHT;
  }
  return UPRIGHT;
}

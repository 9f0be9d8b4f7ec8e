import { MAX_IMAGE_BYTES } from "@/lib/ai/files/read-image";
import { type ImageSize, MAX_SEGMENTS } from "@/lib/ai/files/read-image-size";
import { type ProcessLimits, runReader } from "@/lib/ai/files/run-reader";
import { TurnError } from "@/lib/domain/turn-errors";

/** A photo as it is to be looked at. */
export interface UprightImage extends ImageSize {
  bytes: Uint8Array;
}

/**
 * Phones keep what their sensor saw and note beside it how they were held. Models see the sensor's picture alone, with its text
 * on its side: such a photo is redrawn, in a process of its own. Any other, and one that cannot be redrawn, stays as it is.
 * @throws the signal's own reason when it ends the drawing
 */
export async function turnUpright(bytes: Uint8Array, size: ImageSize, limits: ProcessLimits): Promise<UprightImage> {
  const asItIs = { ...size, bytes };
  if (readOrientation(bytes) <= UPRIGHT) return asItIs;
  try {
    const report = await runReader<UprightImage, "broken">({
      worker: "image-worker.mjs",
      source: bytes,
      options: {},
      limits: { maxMemoryBytes: MAX_MEMORY_BYTES, ...limits },
      tooMuchMessage: "The image is too complex to be turned.",
    });
    return "result" in report && report.result.bytes.byteLength <= MAX_IMAGE_BYTES ? report.result : asItIs;
  } catch (error) {
    if (!(error instanceof TurnError)) throw error;
    return asItIs;
  }
}

/** The size of a photo when it is upright, without drawing it. */
export function uprightSize(bytes: Uint8Array, { width, height }: ImageSize): ImageSize {
  return readOrientation(bytes) >= FIRST_ON_ITS_SIDE ? { width: height, height: width } : { width, height };
}

/** The largest photo that is read takes twice 200 megabytes. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;

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

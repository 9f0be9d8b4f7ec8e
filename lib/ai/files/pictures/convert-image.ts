import type { ForeignImage } from "@/lib/ai/files/file-kinds";
import { checkImageSize, DAMAGED_IMAGE, MAX_IMAGE_BYTES, TOO_COMPLEX_IMAGE } from "@/lib/ai/files/pictures/read-image";
import type { ImageSize } from "@/lib/ai/files/pictures/read-image-size";
import { type ProcessLimits, runReader } from "@/lib/ai/files/reader/run-reader";
import { TurnError } from "@/lib/domain/turn-errors";

/** A picture as a JPEG; without bytes where only its size was asked for. */
export interface ConvertedImage extends ImageSize {
  bytes?: Uint8Array;
}

export interface ConvertLimits extends ProcessLimits {
  /** Its size alone, with nothing unpacked. */
  isLook?: boolean;
}

/**
 * Phones keep photos in HEIC, which models do not take: such a picture is redrawn as a JPEG, upright, in a process of its own.
 * Of several in one file, the first.
 * @throws TurnError UNSUPPORTED_FILE when it is too large or damaged; the signal's own reason
 */
export async function convertImage(
  bytes: Uint8Array,
  format: ForeignImage,
  { isLook, ...limits }: ConvertLimits = {},
): Promise<ConvertedImage> {
  const report = await runReader<ConvertedImage, "broken">({
    worker: "pictures/image-worker.mjs",
    source: bytes,
    options: { format: CODERS[format], maxPixels: isLook ? 0 : MAX_CONVERTED_PIXELS },
    limits: { maxMemoryBytes: MAX_MEMORY_BYTES, deadlineMs: DEADLINE_MS, ...limits },
    tooMuchMessage: TOO_COMPLEX_IMAGE,
  });
  if ("failure" in report) throw new TurnError("UNSUPPORTED_FILE", DAMAGED_IMAGE, { cause: new Error(report.detail) });
  checkImageSize(report.result, MAX_CONVERTED_PIXELS);
  if ((report.result.bytes?.byteLength ?? 0) > MAX_IMAGE_BYTES) {
    throw new TurnError("UNSUPPORTED_FILE", TOO_COMPLEX_IMAGE);
  }
  return report.result;
}

/** The library reads AVIF with the same code. */
const CODERS: Record<ForeignImage, string> = { heif: "HEIC", bmp: "BMP" };

/** The largest photo takes some two seconds, on a machine with much else to do half a minute. */
const DEADLINE_MS = 90_000;
/** The largest photo takes some 900 megabytes while it is unpacked. */
const MAX_CONVERTED_PIXELS = 50_000_000;
const MAX_MEMORY_BYTES = 1024 * 1024 * 1024;

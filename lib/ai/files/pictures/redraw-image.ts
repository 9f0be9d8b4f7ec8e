import { readOrientation, UPRIGHT, withoutCameraNotes } from "@/lib/ai/files/pictures/camera-note";
import type { PicturePiece } from "@/lib/ai/files/pictures/cut-picture";
import { MAX_IMAGE_BYTES, TOO_COMPLEX_IMAGE } from "@/lib/ai/files/pictures/read-image";
import type { ImageSize } from "@/lib/ai/files/pictures/read-image-size";
import { type ProcessLimits, type ReaderReport, runReader } from "@/lib/ai/files/reader/run-reader";
import { TurnError } from "@/lib/domain/turn-errors";

/** A JPEG. */
export interface RedrawnImage extends ImageSize {
  bytes: Uint8Array;
}

/**
 * Draws a picture anew, upright, in a process of its own: all of it in another size, or pieces of it.
 * @param pieces without a part: all of it
 * @returns JPEGs in the order of the pieces; of a damaged picture a failure
 * @throws TurnError UNSUPPORTED_FILE when it takes too long, too much memory or too many bytes; the signal's own reason
 */
export async function redrawImage(
  bytes: Uint8Array,
  pieces: (ImageSize & Partial<PicturePiece>)[],
  limits: ProcessLimits,
): Promise<ReaderReport<RedrawnImage[], "broken">> {
  const orientation = readOrientation(bytes);
  const report = await runReader<RedrawnImage[], "broken">({
    worker: "pictures/image-worker.mjs",
    // What unpacks a photo turns it by the camera's note, and holds it twice for that: of the largest twice 430 megabytes.
    source: orientation === UPRIGHT ? bytes : withoutCameraNotes(bytes),
    options: { pieces, orientation },
    limits: { maxMemoryBytes: MAX_MEMORY_BYTES, ...limits },
    tooMuchMessage: TOO_COMPLEX_IMAGE,
  });
  if ("result" in report && report.result.some((drawn) => drawn.bytes.byteLength > MAX_IMAGE_BYTES)) {
    throw new TurnError("UNSUPPORTED_FILE", TOO_COMPLEX_IMAGE);
  }
  return report;
}

/** The largest photo that is read takes some 750 megabytes. */
const MAX_MEMORY_BYTES = 1024 * 1024 * 1024;

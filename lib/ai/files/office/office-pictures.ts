import { Readable } from "node:stream";
import { understandPicture } from "@/lib/ai/files/pictures/understand-image";
import type { RangedFile } from "@/lib/ai/files/reader/read-source";
import { runReader } from "@/lib/ai/files/reader/run-reader";
import { budgetOf, type FileToUnderstand, type UnderstoodFile } from "@/lib/ai/files/understood-file";
import { type ModelPart, pictureBytes } from "@/lib/ai/model-message";
import { MAX_HELD_BYTES } from "@/lib/domain/limits";
import { findModel } from "@/lib/domain/model-catalog";
import {
  MAX_PICTURE_BYTES_PER_REQUEST,
  MAX_PICTURES_PER_REQUEST,
  PAGE_PICTURE_TOKENS,
} from "@/lib/domain/page-pictures";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";

/** The pictures of a document as the model gets them, each behind a text that names it. */
export interface OfficePictures {
  parts: ModelPart[];
  /** Pictures, of which one may go in pieces. */
  count: number;
  /** Others that the document has, each counted once. */
  others: number;
  /** Estimated. */
  tokens: number;
}

interface PackedPicture {
  slide?: number;
  bytes: Uint8Array;
}

const NONE: OfficePictures = { parts: [], count: 0, others: 0, tokens: 0 };

/**
 * Shows the pictures of an Office document that is little else: scans in a text document, slides that are pictures. As many as
 * one request takes and the window holds; what is too small to say something, or of a kind that cannot be read, is left out.
 * @param textTokens that its text takes
 * @throws the signal's own reason
 */
export async function showOfficePictures(
  file: FileToUnderstand,
  source: Uint8Array | RangedFile,
  textTokens: number,
): Promise<OfficePictures> {
  const isVisual = findModel(file.model ?? env().DEFAULT_MODEL).isVisual;
  if (!isVisual || file.partTokens !== undefined) return NONE;
  const { taken, count } = await takeOut(file, source);
  const shown = { ...NONE, others: count };
  let leftPictures = file.maxPictures ?? MAX_PICTURES_PER_REQUEST;
  let leftTokens = budgetOf(file) - textTokens;
  let leftBytes = MAX_PICTURE_BYTES_PER_REQUEST;
  for (const [index, { slide, bytes }] of taken.entries()) {
    if (leftPictures < 1 || leftTokens < PAGE_PICTURE_TOKENS) break;
    const place = slide === undefined ? `picture ${index + 1}` : `slide ${slide}`;
    const picture = await orNull(
      understandPicture({
        ...file,
        bytesSource: async (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
        size: bytes.byteLength,
        name: `${file.name}, ${place}`,
        contentType: "application/octet-stream",
        maxTokens: leftTokens,
        maxPictures: leftPictures,
      }),
    );
    if (!picture || isSmall(picture)) continue;
    const sentBytes = pictureBytes(picture.parts);
    if (sentBytes > leftBytes) continue;
    shown.parts = [...shown.parts, ...picture.parts];
    shown.count += 1;
    shown.others -= 1;
    shown.tokens += picture.extraction.tokens;
    leftPictures -= picture.extraction.pieces ?? 1;
    leftTokens -= picture.extraction.tokens;
    leftBytes -= sentBytes;
  }
  return shown;
}

/** More than are shown: some of them are signs and logos. */
const MAX_TAKEN = 3 * MAX_PICTURES_PER_REQUEST;

async function takeOut(
  file: FileToUnderstand,
  source: Uint8Array | RangedFile,
): Promise<{ taken: PackedPicture[]; count: number }> {
  const { lane, signal } = file;
  const taken: PackedPicture[] = [];
  const report = await orNull(
    runReader<{ count: number }, "broken", PackedPicture>({
      worker: "office/office-pictures-worker.mjs",
      source,
      options: { maxPictures: MAX_TAKEN, maxBytes: MAX_HELD_BYTES },
      limits: { lane, signal },
      onPart: (picture) => void taken.push(picture),
      tooMuchMessage: "The pictures of the document could not be read.",
    }),
  );
  // What came before it went wrong is not shown either: nobody would know what is missing.
  return report && "result" in report ? { taken, ...report.result } : { taken: [], count: 0 };
}

/** Of fewer pixels than say something: signs, bullets and lines. */
const MIN_PIXELS = 10_000;

function isSmall({ extraction: { width = 0, height = 0 } }: UnderstoodFile): boolean {
  return width * height < MIN_PIXELS;
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error) => {
    if (error instanceof TurnError) return null;
    throw error;
  });
}

import { DETECTION_BYTES, detectKind } from "@/lib/ai/files/detect-kind";
import type { ForeignImage } from "@/lib/ai/files/file-kinds";
import { convertImage } from "@/lib/ai/files/pictures/convert-image";
import { cutPicture, type PicturePiece } from "@/lib/ai/files/pictures/cut-picture";
import { checkImage } from "@/lib/ai/files/pictures/read-image";
import type { ImageSize } from "@/lib/ai/files/pictures/read-image-size";
import { redrawImage } from "@/lib/ai/files/pictures/redraw-image";
import { turnedSize, turnUpright, type UprightImage, uprightSize } from "@/lib/ai/files/pictures/turn-upright";
import { openSource, type SourceReader } from "@/lib/ai/files/reader/read-source";
import {
  budgetOf,
  type FileToUnderstand,
  mostPicturesOf,
  readAll,
  type UnderstoodFile,
} from "@/lib/ai/files/understood-file";
import type { ModelPart } from "@/lib/ai/model-message";
import { MAX_HELD_BYTES } from "@/lib/domain/limits";
import { findModel } from "@/lib/domain/model-catalog";
import { renderBlock } from "@/lib/domain/prompt-blocks";
import { estimateImageTokens, estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";

/**
 * A file that must be a picture, as those in a document are: nothing else that is called one is read, such as a document with
 * documents in it.
 * @throws TurnError UNSUPPORTED_FILE; the signal's own reason
 */
export async function understandPicture(file: FileToUnderstand): Promise<UnderstoodFile> {
  const reader = await openSource(file.bytesSource);
  try {
    const { bytes: head, isWhole } = await reader.readTo(DETECTION_BYTES);
    const found = await detectKind({ head, isWhole, name: file.name, contentType: file.contentType });
    if (found.kind === "image") return await understandImage(file, reader, found.mediaType);
    if (found.kind === "foreign-image") return await understandForeignImage(file, reader, found.format);
    throw new TurnError("UNSUPPORTED_FILE", "The file is no picture that can be read.");
  } finally {
    await reader.close();
  }
}

/**
 * A picture of a kind that models take: photos upright, one with too many bytes smaller, a long one in pieces, all else as it is.
 * @throws TurnError UNSUPPORTED_FILE; the signal's own reason
 */
export async function understandImage(
  file: FileToUnderstand,
  reader: SourceReader,
  mediaType: string,
): Promise<UnderstoodFile> {
  const sent = await readImage(file, reader);
  const size = checkImage(sent);
  const { lane, signal } = file;
  const pieces = await understandPieces(file, sent, turnedSize(sent, size));
  if (pieces) return pieces;
  // What a quote says of the picture counts, and nobody looks at it.
  if (file.isQuote) return asImage(file, { ...uprightSize(sent, size), mediaType, bytes: sent });
  return asImage(file, await turnUpright({ bytes: sent, mediaType }, size, { lane, signal }));
}

/**
 * A picture of a kind that models do not take, as a JPEG; a long one in pieces.
 * @throws TurnError UNSUPPORTED_FILE; the signal's own reason
 */
export async function understandForeignImage(
  file: FileToUnderstand,
  reader: SourceReader,
  format: ForeignImage,
): Promise<UnderstoodFile> {
  const sent = await readImage(file, reader);
  const { lane, signal, isQuote } = file;
  // What a quote says of the picture counts, and nobody looks at it.
  const { bytes = sent, ...size } = await convertImage(sent, format, { lane, signal, isLook: isQuote });
  const pieces = await understandPieces(file, bytes, size);
  return pieces ?? asImage(file, { ...size, mediaType: "image/jpeg", bytes });
}

/** @returns null for a picture that goes whole: it is not long, or cannot be drawn */
async function understandPieces(
  file: FileToUnderstand,
  bytes: Uint8Array,
  size: ImageSize,
): Promise<UnderstoodFile | null> {
  const pieces = cutPicture(size, mostPicturesOf(file, budgetOf(file)));
  if (pieces.length === 0) return null;
  const { lane, signal } = file;
  if (file.isQuote) return asPieces(file, size, pieces, []);
  const drawn = await redrawImage(bytes, pieces, { lane, signal }).catch((error) => {
    if (error instanceof TurnError) return null;
    throw error;
  });
  return drawn && "result" in drawn ? asPieces(file, size, pieces, drawn.result) : null;
}

function readImage(file: FileToUnderstand, reader: SourceReader): Promise<Uint8Array> {
  if (!findModel(file.model ?? env().DEFAULT_MODEL).isVisual) {
    throw new TurnError("UNSUPPORTED_FILE", "The file is an image, and the project's model takes no pictures.");
  }
  return readAll(file, reader, MAX_HELD_BYTES, "image");
}

function asImage(file: FileToUnderstand, { mediaType, bytes, ...size }: UprightImage): UnderstoodFile {
  const words = `The image follows: ${size.width} × ${size.height} pixels.`;
  return asPictures(file, size, words, [size], [{ type: "image", mediaType, bytes }]);
}

function asPieces(
  file: FileToUnderstand,
  size: ImageSize,
  pieces: PicturePiece[],
  drawn: { bytes: Uint8Array }[],
): UnderstoodFile {
  const order = size.height >= size.width ? "from top to bottom" : "from left to right";
  const words = `The image of ${size.width} × ${size.height} pixels follows in ${pieces.length} pictures, ${order}; each begins with the end of the one before it.`;
  const pictures = drawn.map(({ bytes }): ModelPart => ({ type: "image", mediaType: "image/jpeg", bytes }));
  const { extraction, ...understood } = asPictures(file, size, words, pieces, pictures);
  return { ...understood, extraction: { ...extraction, pieces: pieces.length } };
}

function asPictures(
  { name }: FileToUnderstand,
  size: ImageSize,
  words: string,
  sizes: ImageSize[],
  pictures: ModelPart[],
): UnderstoodFile {
  const text = renderBlock({ tag: "document", name, kind: "image", text: words });
  const tokens = sizes.reduce(
    (sum, { width, height }) => sum + estimateImageTokens(width, height),
    estimateTokens(text),
  );
  return {
    kind: "image",
    parts: [{ type: "text", text }, ...pictures],
    extraction: { kind: "image", width: size.width, height: size.height, tokens },
  };
}

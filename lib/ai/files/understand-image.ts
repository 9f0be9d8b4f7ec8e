import { convertImage } from "@/lib/ai/files/convert-image";
import type { ForeignImage } from "@/lib/ai/files/file-kinds";
import { checkImage } from "@/lib/ai/files/read-image";
import type { SourceReader } from "@/lib/ai/files/read-source";
import { turnUpright, type UprightImage, uprightSize } from "@/lib/ai/files/turn-upright";
import { type FileToUnderstand, readAll, type UnderstoodFile } from "@/lib/ai/files/understood-file";
import { MAX_HELD_BYTES } from "@/lib/domain/limits";
import { findModel } from "@/lib/domain/model-catalog";
import { renderBlock } from "@/lib/domain/prompt-blocks";
import { estimateImageTokens, estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";

/**
 * A picture of a kind that models take: photos upright, one with too many bytes smaller, all else as it is.
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
  // What a quote says of the picture counts, and nobody looks at it.
  if (file.isQuote) return asImage(file, { ...uprightSize(sent, size), mediaType, bytes: sent });
  return asImage(file, await turnUpright({ bytes: sent, mediaType }, size, { lane, signal }));
}

/**
 * A picture of a kind that models do not take, as a JPEG.
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
  return asImage(file, { ...size, mediaType: "image/jpeg", bytes });
}

function readImage(file: FileToUnderstand, reader: SourceReader): Promise<Uint8Array> {
  if (!findModel(file.model ?? env().DEFAULT_MODEL).isVisual) {
    throw new TurnError("UNSUPPORTED_FILE", "The file is an image, and the project's model takes no pictures.");
  }
  return readAll(file, reader, MAX_HELD_BYTES, "image");
}

function asImage({ name }: FileToUnderstand, { width, height, mediaType, bytes }: UprightImage): UnderstoodFile {
  const text = renderBlock({
    tag: "document",
    name,
    kind: "image",
    text: `The image follows: ${width} × ${height} pixels.`,
  });
  const tokens = estimateTokens(text) + estimateImageTokens(width, height);
  return {
    kind: "image",
    parts: [
      { type: "text", text },
      { type: "image", mediaType, bytes },
    ],
    extraction: { kind: "image", width, height, tokens },
  };
}

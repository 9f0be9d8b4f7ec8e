import { DETECTION_BYTES, detectKind } from "@/lib/ai/files/detect-kind";
import type { Extraction, FileKind, LeftOut, TextKind } from "@/lib/ai/files/file-kinds";
import { checkImage, MAX_IMAGE_BYTES } from "@/lib/ai/files/read-image";
import { readPdf } from "@/lib/ai/files/read-pdf";
import { type BytesSource, openSource, type SourceReader } from "@/lib/ai/files/read-source";
import { bytesToRead, cutToTokens, readText } from "@/lib/ai/files/read-text";
import type { ModelPart } from "@/lib/ai/model-message";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { renderBlock } from "@/lib/domain/prompt-blocks";
import { estimateImageTokens, estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";

export interface FileToUnderstand {
  /** Opened once; read no further than is needed. */
  bytesSource: BytesSource;
  /** Bytes. */
  size: number;
  name: string;
  contentType: string;
  /** Whose window the file must fit; the default model when absent. */
  model?: string;
  /** A tighter limit than that window, e.g. what the conversation leaves of it. */
  maxTokens?: number;
}

export interface UnderstoodFile {
  kind: FileKind;
  /** For the user's message, in this order, before what is asked: texts are delimited data blocks already. */
  parts: ModelPart[];
  extraction: Extraction;
}

/**
 * Reads a file for the model: texts and PDFs as text in data blocks, pictures as they are. The content decides what
 * it is. What does not fit the model's window is left out, and said so, to the model too.
 * @throws TurnError UNSUPPORTED_FILE, FILE_UNREADABLE; errors of the source come through as they are
 */
export async function understandFile(file: FileToUnderstand): Promise<UnderstoodFile> {
  const reader = await openSource(file.bytesSource);
  try {
    const { bytes: head, isWhole } = await reader.readTo(DETECTION_BYTES);
    if (head.byteLength === 0) throw new TurnError("FILE_UNREADABLE", "The file is empty.");
    const detected = await detectKind({ head, isWhole, name: file.name, contentType: file.contentType });
    switch (detected.kind) {
      case "unsupported":
        throw new TurnError("UNSUPPORTED_FILE", `The file is ${detected.label}, which cannot be read yet.`);
      case "pdf":
        return await understandPdf(file, reader);
      case "image":
        return await understandImage(file, reader, detected.mediaType);
      default:
        return await understandText(file, reader, detected.kind, detected.encoding);
    }
  } finally {
    await reader.close();
  }
}

const MAX_PDF_BYTES = 64 * 1024 * 1024;
/** More text than this can never fit. */
const MAX_CHARACTERS_PER_TOKEN = 6;

async function understandText(
  file: FileToUnderstand,
  reader: SourceReader,
  kind: TextKind,
  encoding: string,
): Promise<UnderstoodFile> {
  const maxTokens = budgetOf(file);
  const { bytes, isWhole } = await reader.readTo(bytesToRead(kind, maxTokens));
  const { size, contentType } = file;
  const { text, leftOut, ...facts } = await readText({ bytes, isWhole, size, kind, encoding, contentType, maxTokens });
  if (text.trim() === "") throw new TurnError("FILE_UNREADABLE", "The file holds no readable text.");
  return asText(file, kind, text, leftOut, facts);
}

async function understandPdf(file: FileToUnderstand, reader: SourceReader): Promise<UnderstoodFile> {
  const bytes = await readAll(file, reader, MAX_PDF_BYTES, "PDF");
  const maxTokens = budgetOf(file);
  const { pageCount, pages } = await readPdf(bytes, { maxCharacters: maxTokens * MAX_CHARACTERS_PER_TOKEN });
  if (pages.every((page) => page.trim() === "")) {
    throw new TurnError("UNSUPPORTED_FILE", "The PDF holds no text, only pictures of pages, which cannot be read yet.");
  }
  const marked = pages.map((page, index) => `[Page ${index + 1}]\n${page}`).join("\n\n");
  const text = cutToTokens(marked, maxTokens);
  const unread = pageCount - pages.length;
  const cut = marked.length - text.length;
  const leftOut: LeftOut | undefined =
    unread === 0 && cut === 0
      ? undefined
      : { reason: "window", ...(cut > 0 && { characters: cut }), ...(unread > 0 && { pages: unread }) };
  return asText(file, "pdf", text, leftOut, { pages: pageCount });
}

async function understandImage(
  file: FileToUnderstand,
  reader: SourceReader,
  mediaType: string,
): Promise<UnderstoodFile> {
  const bytes = await readAll(file, reader, MAX_IMAGE_BYTES, "image");
  const { width, height } = checkImage(bytes);
  const text = renderBlock({
    tag: "document",
    name: file.name,
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

/** Formats that say only at their end what they hold must be read whole. */
async function readAll(
  file: FileToUnderstand,
  reader: SourceReader,
  maxBytes: number,
  what: string,
): Promise<Uint8Array> {
  const { bytes, isWhole } =
    file.size > maxBytes ? { bytes: new Uint8Array(), isWhole: false } : await reader.readTo(maxBytes);
  if (isWhole) return bytes;
  throw new TurnError(
    "UNSUPPORTED_FILE",
    `The ${what} is larger than ${maxBytes / 1024 / 1024} MB, the most that can be read of this kind.`,
  );
}

function asText(
  file: FileToUnderstand,
  kind: TextKind | "pdf",
  text: string,
  leftOut: LeftOut | undefined,
  facts: Partial<Extraction>,
): UnderstoodFile {
  const note = leftOut && "only the beginning of the file is here; its end did not fit";
  const block = renderBlock({ tag: "document", name: file.name, kind, text, ...(note && { note }) });
  const extraction: Extraction = {
    kind,
    ...facts,
    characters: text.length,
    tokens: estimateTokens(block),
    ...(leftOut && { leftOut }),
  };
  return { kind, parts: [{ type: "text", text: block }], extraction };
}

function budgetOf({ model, maxTokens = Number.POSITIVE_INFINITY }: FileToUnderstand): number {
  const window = inputBudgetTokens(findModel(model ?? env().DEFAULT_MODEL));
  return Math.max(1, Math.floor(Math.min(maxTokens, window - PROMPT_ROOM_TOKENS)));
}

/** Room in the window for the system message, the instruction and the block around the file. */
const PROMPT_ROOM_TOKENS = 2_000;

import { Readable } from "node:stream";
import { DETECTION_BYTES, detectKind } from "@/lib/ai/files/detect-kind";
import type { TextKind } from "@/lib/ai/files/file-kinds";
import { holdFile, SMALL_FILE_BYTES } from "@/lib/ai/files/hold-file";
import { looksLikeMail, looksLikeMailParts } from "@/lib/ai/files/mail/looks-like-mail";
import { AttachedReader } from "@/lib/ai/files/mail/read-attached";
import { understandCompound, understandOffice } from "@/lib/ai/files/office/understand-office";
import { understandPdf } from "@/lib/ai/files/pages/understand-pdf";
import { understandTiff } from "@/lib/ai/files/pages/understand-tiff";
import { understandForeignImage, understandImage } from "@/lib/ai/files/pictures/understand-image";
import { openSource, type SourceReader } from "@/lib/ai/files/reader/read-source";
import { signedContent } from "@/lib/ai/files/signed-content.mjs";
import { understandSound } from "@/lib/ai/files/sound/understand-sound";
import { bytesToRead, readText } from "@/lib/ai/files/text/read-text";
import { asText, budgetOf, type FileToUnderstand, readAll, type UnderstoodFile } from "@/lib/ai/files/understood-file";
import { MAX_HELD_BYTES } from "@/lib/domain/limits";
import { TurnError } from "@/lib/domain/turn-errors";

export type { FileToUnderstand, TranscriptStore, UnderstoodFile } from "@/lib/ai/files/understood-file";

/**
 * Reads a file for the model: texts, PDFs and Office documents as text in data blocks, sound and the sound of videos
 * as its transcript, pictures (upright, of a kind that models take, long ones in pieces), the pages of a PDF or TIFF that are nothing
 * but pictures and the pictures of Office documents that are little else as pictures. The content decides what it is. What does not fit the model's window is
 * left out, and said so, to the model too.
 * @throws TurnError UNSUPPORTED_FILE; for sound those of the model too; errors of the source come
 * through as they are, and so does the signal's reason
 */
export async function understandFile(file: FileToUnderstand): Promise<UnderstoodFile> {
  const begun = await withSource(file, async (reader) => {
    const beginning = await readBeginning(file, reader);
    if (isToBeHeld(file, beginning)) return { beginning };
    return { understood: await understandAs(file, reader, beginning) };
  });
  if (begun.understood) return begun.understood;
  const { beginning } = begun;
  return holdFile(() => withSource(file, (reader) => understandAs(file, reader, beginning)), file);
}

interface Beginning {
  head: Uint8Array;
  detected: Awaited<ReturnType<typeof detectKind>>;
}

async function withSource<Result>(
  file: FileToUnderstand,
  read: (reader: SourceReader) => Promise<Result>,
): Promise<Result> {
  const reader = await openSource(file.bytesSource);
  try {
    return await read(reader);
  } finally {
    await reader.close();
  }
}

async function readBeginning(file: FileToUnderstand, reader: SourceReader): Promise<Beginning> {
  const { bytes: head, isWhole } = await reader.readTo(DETECTION_BYTES);
  if (head.byteLength === 0) throw new TurnError("UNSUPPORTED_FILE", "The file is empty.");
  return { head, detected: await detectKind({ head, isWhole, name: file.name, contentType: file.contentType }) };
}

/** Sound has places of its own, as it is waited for at the provider. */
function isToBeHeld({ size, isInMemory }: FileToUnderstand, { detected: { kind } }: Beginning): boolean {
  return !isInMemory && size > SMALL_FILE_BYTES && kind !== "sound" && kind !== "unsupported";
}

async function understandAs(
  file: FileToUnderstand,
  reader: SourceReader,
  { head, detected }: Beginning,
): Promise<UnderstoodFile> {
  switch (detected.kind) {
    case "unsupported":
      throw new TurnError(
        "UNSUPPORTED_FILE",
        `The file is ${detected.label}, which cannot be read yet. ${detected.advice}`,
      );
    case "signed":
      return understandSigned(file, reader);
    case "pdf":
      return understandPdf(file, reader, new AttachedReader(file, understandFile));
    case "tiff":
      return understandTiff(file, reader);
    case "archive":
      return understandOffice(file, reader, true);
    case "workbook":
    case "rich-text":
      return understandOffice(file, reader);
    case "compound":
      return understandCompound(file, reader, new AttachedReader(file, understandFile));
    case "sound":
      return understandSound(file, reader, detected.format);
    case "image":
      return understandImage(file, reader, detected.mediaType);
    case "foreign-image":
      return understandForeignImage(file, reader, detected.format);
    default:
      return understandText(file, reader, { kind: detected.kind, encoding: detected.encoding, head });
  }
}

/** A file inside of its signature (P7M), as if it had been sent without. */
async function understandSigned(file: FileToUnderstand, reader: SourceReader): Promise<UnderstoodFile> {
  const signed = signedContent(await readAll(file, reader, MAX_HELD_BYTES, "file"));
  if (!signed) throw new TurnError("UNSUPPORTED_FILE", NOTHING_SIGNED_MESSAGE);
  const content = asMail(signed);
  return understandFile({
    ...file,
    bytesSource: async (range) => Readable.from([range ? content.subarray(range.start, range.end + 1) : content]),
    size: content.byteLength,
    isInMemory: true,
    name: file.name.replace(/\.p7m$/i, ""),
  });
}

/** A mail that was saved as its signed part alone has its sender and subject elsewhere: it is a mail all the same. */
function asMail(content: Buffer): Buffer {
  const head = content.toString("latin1", 0, MAX_FIELDS_BYTES);
  return looksLikeMailParts(head) && !looksLikeMail(head) ? Buffer.concat([WITHOUT_SENDER, content]) : content;
}

const MAX_FIELDS_BYTES = 32 * 1024;
const WITHOUT_SENDER = Buffer.from("From: \r\nMIME-Version: 1.0\r\n");

const NOTHING_SIGNED_MESSAGE =
  "The file is a signature without what it signs, or is damaged. Send the file that was signed.";

async function understandText(
  file: FileToUnderstand,
  reader: SourceReader,
  { kind, encoding, head }: { kind: TextKind; encoding: string; head: Uint8Array },
): Promise<UnderstoodFile> {
  const maxTokens = budgetOf(file);
  const { bytes, isWhole } = await reader.readTo(bytesToRead(kind, maxTokens, head));
  const { size, contentType, lane, signal } = file;
  const limits = { lane, signal };
  const attached = new AttachedReader(file, understandFile);
  const input = { bytes, isWhole, size, kind, encoding, contentType, maxTokens, limits, attached };
  const { text, ...facts } = await readText(input);
  if (text.trim() === "") throw new TurnError("UNSUPPORTED_FILE", "The file holds no readable text.");
  return attached.addTo(await asText(file, kind, text, facts));
}

import { DETECTION_BYTES, detectKind } from "@/lib/ai/files/detect-kind";
import { markSections, SEPARATOR } from "@/lib/ai/files/office-marks";
import type { AttachedFile, AttachedText, ReadAttached } from "@/lib/ai/files/read-mail";
import { readOffice } from "@/lib/ai/files/read-office";
import { readPdf } from "@/lib/ai/files/read-pdf";
import { toText } from "@/lib/ai/files/read-text";
import type { ReaderLimits } from "@/lib/ai/files/run-reader";
import { budgetOf, type FileToUnderstand, MAX_CHARACTERS_PER_TOKEN } from "@/lib/ai/files/understood-file";
import { TurnError } from "@/lib/domain/turn-errors";

/** Each may take a process. */
const MAX_FILES = 50;
/** For all of them together. */
const DEADLINE_MS = 60_000;

/**
 * Reads what has a text of the files that came along with a mail: texts, PDFs and Office documents. Pictures, scans and sound are
 * named, and may be sent as files of their own: they cost what nobody expects of a mail. One that cannot be read says why.
 * @throws the signal's own reason
 */
export function attachedReader(file: FileToUnderstand): ReadAttached {
  const { lane, signal } = file;
  return async (files) => {
    let maxCharacters = budgetOf(file) * MAX_CHARACTERS_PER_TOKEN;
    const endMs = performance.now() + DEADLINE_MS;
    const texts: AttachedText[] = [];
    for (const [index, attached] of files.entries()) {
      const deadlineMs = endMs - performance.now();
      const isLeft = index < MAX_FILES && deadlineMs > 0 && maxCharacters > 0;
      const limits = { maxCharacters, lane, signal, deadlineMs: Math.min(deadlineMs, READER_DEADLINE_MS) };
      const read = isLeft ? await readOne(attached, limits) : { name: attached.name, reason: TOO_MUCH };
      maxCharacters -= read.text?.length ?? 0;
      texts.push(read);
    }
    return texts;
  };
}

/** As usual for a document. */
const READER_DEADLINE_MS = 30_000;
const TOO_MUCH = "too much came before it";

async function readOne({ name, contentType, bytes }: AttachedFile, limits: ReaderLimits): Promise<AttachedText> {
  if (!bytes?.byteLength) return { name };
  try {
    const text = (await textOf({ name, contentType, bytes }, limits))?.trim();
    return text ? { name, text } : { name };
  } catch (error) {
    if (error instanceof TurnError && error.code === "UNSUPPORTED_FILE") return { name, reason: error.message };
    throw error;
  }
}

/** Undefined of what has none. */
async function textOf({ name, contentType, bytes }: Required<AttachedFile>, limits: ReaderLimits) {
  const head = bytes.subarray(0, DETECTION_BYTES);
  const found = await detectKind({ head, isWhole: head.byteLength === bytes.byteLength, name, contentType });
  switch (found.kind) {
    case "pdf":
      return textOfPdf(bytes, limits);
    case "archive":
    case "compound":
    case "workbook":
    case "rich-text":
      return markSections(await readOffice(bytes, limits)).join(SEPARATOR);
    default:
      return "encoding" in found ? (await toText({ bytes, kind: found.kind, limits }, found.encoding)).text : undefined;
  }
}

async function textOfPdf(bytes: Uint8Array, limits: ReaderLimits): Promise<string | undefined> {
  const { pages, scannedPages } = await readPdf(bytes, limits);
  if (pages.every((page) => page.trim() === "")) return undefined;
  const scanned = new Set(scannedPages);
  return pages
    .map(
      (page, index) =>
        `[Page ${index + 1}${scanned.has(index + 1) ? ", without text or a scan, not here" : ""}]\n${page}`,
    )
    .join(SEPARATOR);
}

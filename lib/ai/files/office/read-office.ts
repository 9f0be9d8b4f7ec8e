import { fillInserts, type Insert } from "@/lib/ai/files/office/fill-inserts";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import type { RangedFile } from "@/lib/ai/files/reader/read-source";
import { type ReaderLimits, runReader } from "@/lib/ai/files/reader/run-reader";
import { MAX_HELD_BYTES } from "@/lib/domain/limits";
import { TurnError } from "@/lib/domain/turn-errors";

/**
 * The text of a DOCX, DOC, RTF, ODT, XLSX, XLS, XLSB, ODS, PPTX, ODP or EPUB by its structure: headings, lists and tables as Markdown, sheets as
 * CSV. Its own parts say which of them it is. Read in a bounded process, like PDFs: archives that grow out of measure, XML with a
 * document type, and locked or broken files end here. Pages, texts and documents inside of a DOCX that are its text (altChunk) stand
 * where they belong, and so do the chapters of an EPUB.
 * @throws TurnError UNSUPPORTED_FILE when it is locked, broken, hostile, exceeds the limits, or is an archive that is no
 * such document
 */
export async function readOffice(source: Uint8Array | RangedFile, limits: ReaderLimits): Promise<OfficeText> {
  const report = await runReader<OfficeText & { inserts?: Insert[] }, keyof typeof FAILURE_MESSAGES | "unsupported">({
    worker: "office/office-worker.mjs",
    source,
    options: { maxCharacters: limits.maxCharacters },
    limits,
    tooMuchMessage: "The document could not be read: it is damaged or too complex.",
  });
  if ("result" in report) return fillInserts(report.result, limits);
  if (report.failure === "unsupported") {
    throw new TurnError("UNSUPPORTED_FILE", `The file is ${report.detail}`);
  }
  throw new TurnError("UNSUPPORTED_FILE", FAILURE_MESSAGES[report.failure], { cause: report.detail });
}

export const LOCKED_MESSAGE = "The document is protected by a password. Send it without one.";

const FAILURE_MESSAGES = {
  encrypted: LOCKED_MESSAGE,
  large: `The document is larger than ${MAX_HELD_BYTES / 1024 / 1024} MB, the most that can be read of its kind. Save it as XLSX.`,
  broken: "The document is damaged and could not be read.",
  hostile: "The document is not built as such documents are and was not read: it may be meant to do harm.",
} as const;

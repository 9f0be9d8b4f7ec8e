import type { AttachedReader } from "@/lib/ai/files/mail/read-attached";
import { readPdf } from "@/lib/ai/files/pages/read-pdf";
import { understandPages } from "@/lib/ai/files/pages/understand-pages";
import type { SourceReader } from "@/lib/ai/files/reader/read-source";
import {
  budgetOf,
  type FileToUnderstand,
  MAX_CHARACTERS_PER_TOKEN,
  openDocument,
  type UnderstoodFile,
} from "@/lib/ai/files/understood-file";

/**
 * A PDF as the text of its pages, and of the files that came along in it: the data of an invoice, the documents of a portfolio. Pages
 * without text, and scans with a stamp on them, are shown as pictures.
 * @param attached reads what came along
 * @throws TurnError UNSUPPORTED_FILE
 */
export async function understandPdf(
  file: FileToUnderstand,
  reader: SourceReader,
  attached: AttachedReader,
): Promise<UnderstoodFile> {
  const source = await openDocument(file, reader, "PDF");
  const maxCharacters = budgetOf(file) * MAX_CHARACTERS_PER_TOKEN;
  const limits = { maxCharacters, lane: file.lane, signal: file.signal };
  const text = await readPdf(source, limits, { isWithFiles: !file.isAttached });
  return understandPages(file, source, "pdf", text, attached);
}

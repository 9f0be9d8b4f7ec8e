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
 * A PDF as the text of its pages; pages without text, and scans with a stamp on them, are shown as pictures.
 * @throws TurnError UNSUPPORTED_FILE
 */
export async function understandPdf(file: FileToUnderstand, reader: SourceReader): Promise<UnderstoodFile> {
  const source = await openDocument(file, reader, "PDF");
  const maxCharacters = budgetOf(file) * MAX_CHARACTERS_PER_TOKEN;
  const text = await readPdf(source, { maxCharacters, lane: file.lane, signal: file.signal });
  return understandPages(file, source, "pdf", text);
}

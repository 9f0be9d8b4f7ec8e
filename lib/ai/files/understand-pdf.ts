import { readPdf } from "@/lib/ai/files/read-pdf";
import type { SourceReader } from "@/lib/ai/files/read-source";
import { understandPages } from "@/lib/ai/files/understand-pages";
import {
  budgetOf,
  type FileToUnderstand,
  MAX_CHARACTERS_PER_TOKEN,
  readAll,
  type UnderstoodFile,
} from "@/lib/ai/files/understood-file";
import { MAX_DOCUMENT_BYTES } from "@/lib/domain/limits";

/**
 * A PDF as the text of its pages; pages without text, and scans with a stamp on them, are shown as pictures.
 * @throws TurnError UNSUPPORTED_FILE
 */
export async function understandPdf(file: FileToUnderstand, reader: SourceReader): Promise<UnderstoodFile> {
  const bytes = await readAll(file, reader, MAX_DOCUMENT_BYTES, "PDF");
  const maxCharacters = budgetOf(file) * MAX_CHARACTERS_PER_TOKEN;
  const text = await readPdf(bytes, { maxCharacters, lane: file.lane, signal: file.signal });
  return understandPages(file, bytes, "pdf", text);
}

import { tiffFrames } from "@/lib/ai/files/pages/tiff-frames.mjs";
import { understandPages } from "@/lib/ai/files/pages/understand-pages";
import type { SourceReader } from "@/lib/ai/files/reader/read-source";
import { type FileToUnderstand, readAll, type UnderstoodFile } from "@/lib/ai/files/understood-file";
import { MAX_HELD_BYTES } from "@/lib/domain/limits";
import { TurnError } from "@/lib/domain/turn-errors";

/**
 * A TIFF, as scanners and fax machines write it: its pages, none of which has text, are shown as pictures.
 * @throws TurnError UNSUPPORTED_FILE; the signal's own reason
 */
export async function understandTiff(file: FileToUnderstand, reader: SourceReader): Promise<UnderstoodFile> {
  const bytes = await readAll(file, reader, MAX_HELD_BYTES, "TIFF");
  const pages = tiffFrames(bytes).map(() => "");
  if (pages.length === 0) throw new TurnError("UNSUPPORTED_FILE", "The TIFF is damaged and could not be read.");
  const scannedPages = pages.map((_, index) => index + 1);
  return understandPages(file, bytes, "tiff", { pageCount: pages.length, pages, scannedPages });
}

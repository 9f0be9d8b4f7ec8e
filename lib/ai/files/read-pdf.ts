import { type ReaderLimits, runReader } from "@/lib/ai/files/run-reader";
import { TurnError } from "@/lib/domain/turn-errors";

export interface PdfText {
  /** All pages of the document. */
  pageCount: number;
  /** Text of the pages that were read, from the first on; empty for a page without text. */
  pages: string[];
  /** By number: pages without text, and those that are a picture with little more than a stamp on it. */
  scannedPages: number[];
  /** How many stand beside the text of a page, by its number; those far behind in a long document are not counted. */
  pictures?: Map<number, number>;
  /** Files that came along in it, such as the data of an invoice; absent when there are none. */
  embeddedFiles?: number;
}

/**
 * The text of a PDF, page by page. A hostile one can cost no more than its limits: it is read in a process of its own
 * that is ended when it takes too long or too much memory.
 * @throws TurnError UNSUPPORTED_FILE when it is encrypted, broken, or exceeds the limits
 */
export async function readPdf(bytes: Uint8Array, limits: ReaderLimits): Promise<PdfText> {
  const report = await runReader<PdfText, keyof typeof FAILURE_MESSAGES>({
    worker: "pdf-worker.mjs",
    bytes,
    options: { maxPages: limits.maxPages ?? MAX_PAGES, maxCharacters: limits.maxCharacters },
    limits,
    tooMuchMessage: "The PDF could not be read: it is damaged or too complex.",
  });
  if ("result" in report) return report.result;
  throw new TurnError("UNSUPPORTED_FILE", FAILURE_MESSAGES[report.failure], { cause: report.detail });
}

const MAX_PAGES = 5_000;

const FAILURE_MESSAGES = {
  encrypted: "The PDF is protected by a password. Send it without one.",
  broken: "The PDF is damaged and could not be read.",
} as const;

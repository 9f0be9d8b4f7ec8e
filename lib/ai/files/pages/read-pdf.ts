import type { AttachedFile } from "@/lib/ai/files/mail/attached-file";
import { isRanged, type RangedFile } from "@/lib/ai/files/reader/read-source";
import { READER_MEMORY_BYTES, type ReaderLimits, runReader } from "@/lib/ai/files/reader/run-reader";
import { TurnError } from "@/lib/domain/turn-errors";

export interface PdfText {
  /** All pages of the document. */
  pageCount: number;
  /** Text of the pages that were read, from the first on; empty for a page without text that says which letters it shows. */
  pages: string[];
  /** By number: pages without text, and those that are a picture with little more than a stamp on it. */
  scannedPages: number[];
  /** How many stand beside the text of a page, by its number; those far behind in a long document are not counted. */
  pictures?: Map<number, number>;
  /** Files that came along in it, such as the data of an invoice; absent when there are none. */
  attached?: AttachedFile[];
  /** How many more came, of which not even the name was read. */
  moreAttached?: number;
}

export interface PdfOptions {
  /** Files that came along are read, too; otherwise they are named. */
  isWithFiles?: boolean;
  /** Pictures beside the text are counted until then. */
  countingMs?: number;
}

/**
 * The text of a PDF, page by page. A hostile one can cost no more than its limits: it is read in a process of its own
 * that is ended when it takes too long or too much memory.
 * @throws TurnError UNSUPPORTED_FILE when it is encrypted, broken, or exceeds the limits
 */
export async function readPdf(
  source: Uint8Array | RangedFile,
  limits: ReaderLimits,
  { isWithFiles = false, countingMs = MAX_COUNTING_MS }: PdfOptions = {},
): Promise<PdfText> {
  let text: FoundText | undefined;
  const files = new Map<number, Uint8Array>();
  const pictures = new Map<number, number>();
  const counting = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const reading = runReader<object, keyof typeof FAILURE_MESSAGES, FoundPart>({
    worker: "pages/pdf-worker.mjs",
    source,
    options: { maxPages: limits.maxPages ?? MAX_PAGES, maxCharacters: limits.maxCharacters, isWithFiles },
    limits: {
      ...limits,
      ...(isRanged(source) && { maxMemoryBytes: READER_MEMORY_BYTES + source.size, deadlineMs: RANGED_DEADLINE_MS }),
      signal: AbortSignal.any([counting.signal, ...(limits.signal ? [limits.signal] : [])]),
    },
    onPart: (part) => {
      if ("page" in part) pictures.set(part.page, part.pictures);
      else if ("attached" in part) files.set(part.attached, part.bytes);
      else if ("isCounting" in part) timer = setTimeout(() => counting.abort(), countingMs);
      else text = part;
    },
    tooMuchMessage: "The PDF could not be read: it is damaged or too complex.",
  });
  // Where the text is there, only files in it or pictures beside it were too many or too much.
  const report = await reading.catch((error: unknown) => {
    if (!text || limits.signal?.aborted) throw error;
  });
  clearTimeout(timer);
  if (report && "failure" in report && !text) {
    throw new TurnError("UNSUPPORTED_FILE", FAILURE_MESSAGES[report.failure], { cause: report.detail });
  }
  const { attachedNames = [], moreAttached = 0, ...read } = text as FoundText;
  const attached = attachedNames.map((name, index) => fileOf(name, files.get(index)));
  return {
    ...read,
    ...(pictures.size > 0 && { pictures }),
    ...(attached.length > 0 && { attached }),
    ...(moreAttached > 0 && { moreAttached }),
  };
}

function fileOf(name: string, bytes: Uint8Array | undefined): AttachedFile {
  return { name, contentType: "", ...(bytes && { bytes }) };
}

interface FoundText extends Pick<PdfText, "pageCount" | "pages" | "scannedPages" | "moreAttached"> {
  /** Absent of a form that is drawn from its data. */
  attachedNames?: string[];
}

type FoundPart = FoundText | { attached: number; bytes: Uint8Array } | { isCounting: true } | PagePictures;

/** Its pages lie far apart, in a store that may be far away. The library sets memory aside for all of it, and touches what it needs. */
const RANGED_DEADLINE_MS = 180_000;

interface PagePictures {
  page: number;
  pictures: number;
}

/** Pictures behind are not counted: in long documents, and behind drawings of many lines. */
const MAX_COUNTING_MS = 5_000;
const MAX_PAGES = 5_000;

const FAILURE_MESSAGES = {
  encrypted: "The PDF is protected by a password. Send it without one.",
  broken: "The PDF is damaged and could not be read.",
} as const;

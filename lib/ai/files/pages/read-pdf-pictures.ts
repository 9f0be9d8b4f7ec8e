import { isRanged, type ReaderSource } from "@/lib/ai/files/reader/read-source";
import { type ProcessLimits, runReader } from "@/lib/ai/files/reader/run-reader";
import { TurnError } from "@/lib/domain/turn-errors";

/** A page of a PDF or TIFF as a JPEG. */
export interface PagePicture {
  /** From 1. */
  page: number;
  /** Pixels. */
  width: number;
  /** Pixels. */
  height: number;
  bytes: Uint8Array;
}

/** A page of a PDF or TIFF on which something is, as its picture would be. */
export type SeenPage = Omit<PagePicture, "bytes"> & {
  /** A picture lies on it, which was not looked into: it may be as white as the page. */
  hasImage: boolean;
};

export interface PdfPictures<Page = PagePicture> {
  /** In the order of the pages. */
  pictures: Page[];
  /** Pages on which nothing is. */
  blankPages: number[];
  /** Pages that cannot be drawn; not those that were not reached. */
  brokenPages: number[];
}

/** What a look at pages says. */
export interface LookedPages extends PdfPictures<SeenPage> {
  /** What pages with pictures take in the document, by number: empty ones the least. Not all need be known. */
  packedBytes: ReadonlyMap<number, number>;
}

export interface PictureLimits extends ProcessLimits {
  /** Drawing stops at so many. */
  maxPictures?: number;
}

/** As many squares as providers look at of one picture. */
const MAX_PICTURE_PIXELS = 1_500_000;

type DrawnPage<Page> = { page: number } & (Page | { isBlank: true } | { isBroken: true } | { packedBytes: number });

/**
 * Draws pages of a PDF or TIFF, in a process of its own that is ended when it takes too long or too much memory. A page that
 * cannot be drawn, and those after one that exceeds the limits, are not among the pictures. The same bytes and pages give
 * the same pictures, byte by byte.
 * @param source the document, or how to get it when there is room to draw
 * @param pages their numbers, from 1
 * @throws the signal's own reason when it ends the drawing
 */
export function readPdfPictures(
  source: ReaderSource,
  pages: readonly number[],
  { maxPictures, ...limits }: PictureLimits = {},
): Promise<PdfPictures> {
  return runPictures<PagePicture>(source, { pages, maxPictures, mode: "draw" }, limits);
}

/**
 * As `readPdfPictures`, without unpacking what takes long: says how large each picture would be, and what it is packed in,
 * in some milliseconds a page.
 */
export function lookAtPdfPages(
  source: ReaderSource,
  pages: readonly number[],
  limits: ProcessLimits = {},
): Promise<LookedPages> {
  return runPictures<SeenPage>(source, { pages, mode: "look" }, limits);
}

/**
 * As `readPdfPictures`, for what it says of the pages: draws those alone that show where in the row the empty ones are,
 * which stand together.
 * @param row numbers of pages, in the order in which empty ones and others are likely to stand together
 */
export function samplePdfPages(
  source: ReaderSource,
  row: readonly number[],
  { maxPictures, ...limits }: PictureLimits,
): Promise<PdfPictures<SeenPage>> {
  return runPictures<SeenPage>(source, { pages: row, maxPictures, mode: "sample" }, limits);
}

async function runPictures<Page extends { page: number; width: number }>(
  source: ReaderSource,
  options: { pages: readonly number[]; maxPictures?: number; mode: "draw" | "look" | "sample" },
  limits: ProcessLimits,
): Promise<PdfPictures<Page> & Pick<LookedPages, "packedBytes">> {
  const drawn: DrawnPage<Page>[] = [];
  try {
    await runReader<object, "broken", DrawnPage<Page>>({
      worker: "pages/page-pictures-worker.mjs",
      source,
      options: { ...options, maxPixels: MAX_PICTURE_PIXELS },
      limits: {
        maxMemoryBytes: MAX_MEMORY_BYTES + (isRanged(source) ? source.size : 0),
        deadlineMs: DEADLINE_MS,
        ...limits,
      },
      onPart: (page) => drawn.push(page),
      tooMuchMessage: "The pages are too complex to be drawn.",
    });
  } catch (error) {
    if (!(error instanceof TurnError)) throw error;
  }
  return {
    pictures: drawn.filter((page) => "width" in page),
    blankPages: drawn.filter((page) => "isBlank" in page).map(({ page }) => page),
    brokenPages: drawn.filter((page) => "isBroken" in page).map(({ page }) => page),
    packedBytes: new Map(
      drawn.flatMap((page) => ("packedBytes" in page ? [[page.page, page.packedBytes] as const] : [])),
    ),
  };
}

/**
 * As `readPdfPictures`, and pages that a run did not reach within its limits get another, as long as each gets on: for work
 * that may take its time, on a machine with much else to do.
 */
export async function readPdfPicturesInRuns(
  source: ReaderSource,
  pages: readonly number[],
  limits: ProcessLimits = {},
): Promise<PdfPictures> {
  const all: PdfPictures = { pictures: [], blankPages: [], brokenPages: [] };
  let left = [...pages];
  for (let run = 0; run < MAX_RUNS && left.length > 0; run++) {
    const { pictures, blankPages, brokenPages } = await readPdfPictures(source, left, limits);
    all.pictures.push(...pictures);
    all.blankPages.push(...blankPages);
    all.brokenPages.push(...brokenPages);
    const reached = new Set([...pictures.map(({ page }) => page), ...blankPages, ...brokenPages]);
    if (reached.size === 0) break;
    left = left.filter((page) => !reached.has(page));
  }
  return all;
}

const MAX_RUNS = 3;

/** A page takes some hundred milliseconds, on a machine with much else to do some seconds. */
const DEADLINE_MS = 60_000;
/** A scanned page is some hundred megabytes while it is unpacked, a drawing on A1 six hundred. */
const MAX_MEMORY_BYTES = 768 * 1024 * 1024;

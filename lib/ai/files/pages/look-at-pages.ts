import { pictureTokens } from "@/lib/ai/files/pages/picture-parts";
import {
  type LookedPages,
  lookAtPdfPages,
  type PdfPictures,
  readPdfPictures,
  samplePdfPages,
} from "@/lib/ai/files/pages/read-pdf-pictures";
import type { RangedFile } from "@/lib/ai/files/reader/read-source";
import type { ProcessLimits } from "@/lib/ai/files/reader/run-reader";
import { PAGE_PICTURE_TOKENS } from "@/lib/domain/page-pictures";
import type { TaskOptions } from "@/lib/limit-parallel";

/** A page without text that is shown as a picture, unless it turns out to be empty when it is drawn. */
export interface LikelyPage {
  /** From 1. */
  page: number;
  /** From 0, as good as certainly empty or broken, to 1. */
  likelihood: number;
  /** Of its picture when it is shown, estimated. */
  tokens: number;
}

/** Pages are looked at until then; those that were not reached are taken to be as the others are. */
const LOOK_DEADLINE_MS = 20_000;
/** Scanners make pictures of empty pages, too; only drawing shows it, which takes some hundred milliseconds each. */
const MAX_SAMPLED_PAGES = 32;
const SAMPLED_PAIRS = 8;
const MORE_SAMPLED_PAGES = 48;
const SAMPLE_DEADLINE_MS = 15_000;
/** Less is not worth another process. */
const LEAST_SAMPLE_MS = 2_000;
const LEAST_SHOWN = 0.5;
/** Pages that all take about the same are of one kind, or share what they hold: that says nothing of any of them. */
const LEAST_SPREAD = 1.02;
/** A page that is taken out of its document differs by some bytes of its own each time. */
const LEAST_SPREAD_BYTES = 50;

/**
 * Looks at pages without text before they are drawn, to leave out those on which nothing is, and to know about what the
 * others take. Pages that hold pictures are not unpacked but for a few. They stand in a row by what they are packed in,
 * empty ones first: drawing some all over it, and then more about each place where empty ones end, tells of all.
 * @param name of the document, which each picture is named with
 * @returns in their order, without those that are known to be empty
 * @throws the signal's own reason
 */
export async function lookAtPages(
  name: string,
  source: Uint8Array | RangedFile,
  pages: readonly number[],
  { lane, signal, deadlineMs = LOOK_DEADLINE_MS }: ProcessLimits = {},
): Promise<LikelyPage[]> {
  const looked = await lookAtPdfPages(source, pages, { lane, signal, deadlineMs });
  const row = rowOf(looked);
  const drawn = await drawSome(source, row, { lane, signal });
  const shown = row.isSorted ? sharesBetween(row.pages, drawn) : shareOfAll(row.pages, drawn);
  const known = weigh(name, looked, drawn, shown);
  const usual = averageOf([...known.values()]);
  const blank = new Set([...looked.blankPages, ...drawn.blankPages]);
  return pages.flatMap((page) => (blank.has(page) ? [] : [{ page, ...(known.get(page) ?? usual) }]));
}

/** What all of them together are likely to take. */
export function likelyTokens(pages: readonly LikelyPage[]): number {
  return Math.ceil(pages.reduce((sum, { likelihood, tokens }) => sum + likelihood * tokens, 0));
}

/** How many of them are likely to be shown. */
export function likelyPictures(pages: readonly LikelyPage[]): number {
  return Math.round(pages.reduce((sum, { likelihood }) => sum + likelihood, 0));
}

const NOTHING: PdfPictures<never> = { pictures: [], blankPages: [], brokenPages: [] };

interface Row {
  pages: number[];
  /** From what is packed in least; otherwise as they stand in the document. */
  isSorted: boolean;
}

async function drawSome(
  source: Uint8Array | RangedFile,
  { pages, isSorted }: Row,
  options: TaskOptions,
): Promise<PdfPictures<NumberedPage>> {
  if (pages.length === 0) return NOTHING;
  const limits = { ...options, deadlineMs: SAMPLE_DEADLINE_MS };
  if (!isSorted) return sampleUnsorted(source, pages, options);
  return samplePdfPages(source, pages, { ...limits, maxPictures: MAX_SAMPLED_PAGES });
}

interface NumberedPage {
  page: number;
}

/** Where most of a sample is empty, a few pages more or less are a large part of what is shown: then more are drawn. */
async function sampleUnsorted(
  source: Uint8Array | RangedFile,
  pages: readonly number[],
  options: TaskOptions,
): Promise<PdfPictures<NumberedPage>> {
  const endsAt = performance.now() + SAMPLE_DEADLINE_MS;
  const sample = neighboursOf(pages);
  const first = await readPdfPictures(source, sample, { ...options, deadlineMs: SAMPLE_DEADLINE_MS });
  const sampled = new Set(sample);
  const left = pages.filter((page) => !sampled.has(page));
  const deadlineMs = endsAt - performance.now();
  if (left.length === 0 || deadlineMs < LEAST_SAMPLE_MS || first.pictures.length >= sample.length / 2) return first;
  const more = await readPdfPictures(source, spreadOver(left, MORE_SAMPLED_PAGES), { ...options, deadlineMs });
  return {
    pictures: [...first.pictures, ...more.pictures],
    blankPages: [...first.blankPages, ...more.blankPages],
    brokenPages: [...first.brokenPages, ...more.brokenPages],
  };
}

/**
 * Pages with pictures, from what is packed in least: by what a square of the page takes, since a large white one takes more
 * than a note.
 */
function rowOf({ pictures, packedBytes }: LookedPages): Row {
  const withImage = pictures.filter(({ hasImage }) => hasImage);
  const pages = withImage.map(({ page }) => page);
  if (pages.some((page) => !packedBytes.has(page))) return { pages, isSorted: false };
  const least = Math.min(...packedBytes.values());
  const most = Math.max(...packedBytes.values());
  if (most < Math.max(least * LEAST_SPREAD, least + LEAST_SPREAD_BYTES)) return { pages, isSorted: false };
  const density = new Map(
    withImage.map(({ page, width, height }) => [page, ((packedBytes.get(page) ?? 0) - least) / (width * height)]),
  );
  return { pages: pages.toSorted((a, b) => (density.get(a) ?? 0) - (density.get(b) ?? 0)), isSorted: true };
}

/** From all over the list: the empty backs of sheets are every second page. */
function neighboursOf(pages: readonly number[]): number[] {
  if (pages.length <= SAMPLED_PAIRS * 2) return [...pages];
  return placesOver(pages.length, SAMPLED_PAIRS).flatMap((at) => pages.slice(at, at + 2));
}

function spreadOver(pages: readonly number[], count: number): number[] {
  if (pages.length <= count) return [...pages];
  return placesOver(pages.length, count).flatMap((at) => pages.slice(at, at + 1));
}

function placesOver(length: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * length) / count));
}

/** How likely each page of a sorted row is shown: as those drawn on both sides of it are. */
function sharesBetween(row: readonly number[], { pictures, blankPages, brokenPages }: PdfPictures<NumberedPage>) {
  const kinds = new Map([
    ...pictures.map(({ page }) => [page, 1] as const),
    ...[...blankPages, ...brokenPages].map((page) => [page, 0] as const),
  ]);
  const below = nearest(row, kinds);
  const above = nearest(row.toReversed(), kinds);
  return new Map(row.map((page) => [page, ((below.get(page) ?? 1) + (above.get(page) ?? 1)) / 2]));
}

/** For each page the kind of the last one before it, itself included, whose kind is known. */
function nearest(row: readonly number[], kinds: ReadonlyMap<number, number>): Map<number, number | undefined> {
  let kind: number | undefined;
  return new Map(
    row.map((page) => {
      kind = kinds.get(page) ?? kind;
      return [page, kind];
    }),
  );
}

/** Of an unsorted row, the share that was drawn stands for the rest. */
function shareOfAll(row: readonly number[], { pictures, blankPages, brokenPages }: PdfPictures<NumberedPage>) {
  const reached = pictures.length + blankPages.length + brokenPages.length;
  // Where all that were drawn are empty, some of the others may not be.
  const share = reached === 0 ? 1 : Math.max(pictures.length, LEAST_SHOWN) / reached;
  return new Map(row.map((page) => [page, share]));
}

type Likely = Omit<LikelyPage, "page">;

const BROKEN: Likely = { likelihood: 0, tokens: 0 };

/** What is known of each page that was looked at and is not empty. */
function weigh(
  name: string,
  looked: LookedPages,
  drawn: PdfPictures<NumberedPage>,
  shown: ReadonlyMap<number, number>,
): Map<number, Likely> {
  const certain = new Set(drawn.pictures.map(({ page }) => page));
  const known = new Map<number, Likely>();
  for (const seen of looked.pictures) {
    const likelihood = certain.has(seen.page) ? 1 : (shown.get(seen.page) ?? 1);
    known.set(seen.page, { likelihood, tokens: pictureTokens(name, seen) });
  }
  for (const page of [...looked.blankPages, ...drawn.blankPages, ...looked.brokenPages, ...drawn.brokenPages]) {
    known.set(page, BROKEN);
  }
  return known;
}

/** Of pages that nothing is known of. */
function averageOf(known: readonly Likely[]): Likely {
  const pictures = known.filter(({ tokens }) => tokens > 0);
  if (known.length === 0) return { likelihood: 1, tokens: PAGE_PICTURE_TOKENS };
  if (pictures.length === 0) return BROKEN;
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const likelihood = sum(pictures.map((each) => each.likelihood));
  const tokens = sum(pictures.map((each) => each.likelihood * each.tokens));
  return { likelihood: likelihood / known.length, tokens: likelihood === 0 ? 0 : tokens / likelihood };
}

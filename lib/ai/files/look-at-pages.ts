import { pictureTokens } from "@/lib/ai/files/picture-parts";
import { lookAtPdfPages, type PdfPictures, readPdfPictures, type SeenPage } from "@/lib/ai/files/read-pdf-pictures";
import type { ProcessLimits } from "@/lib/ai/files/run-reader";
import { PAGE_PICTURE_TOKENS } from "@/lib/domain/page-pictures";

/** Pages without text that are shown as pictures, each with its part of the document. */
export interface PagesToShow {
  /** By number, in their order; some may turn out to be empty when they are drawn. */
  pages: number[];
  /** What one of them is likely to take: those that are likely to be empty lower it. */
  tokensEach: number;
}

/** Pages are looked at until then; those that were not reached are taken to be as the others are. */
const LOOK_DEADLINE_MS = 20_000;
/** Scanners make pictures of empty pages, too; only drawing shows it, which takes some hundred milliseconds each. */
const SAMPLED_PAIRS = 4;
const SAMPLE_DEADLINE_MS = 15_000;
const LEAST_SHOWN = 0.5;

/**
 * Looks at pages without text before they are drawn, to leave out those on which nothing is, and to know about what the
 * others take. Pages that hold pictures are not unpacked but for a few, spread evenly, which speak for the rest.
 * @param name of the document, which each picture is named with
 * @throws the signal's own reason
 */
export async function lookAtPages(
  name: string,
  bytes: Uint8Array,
  pages: readonly number[],
  { signal, deadlineMs = LOOK_DEADLINE_MS }: ProcessLimits = {},
): Promise<PagesToShow> {
  const looked = await lookAtPdfPages(bytes, pages, { signal, deadlineMs });
  const imagePages = looked.pictures.filter(({ hasImage }) => hasImage).map(({ page }) => page);
  const sample = sampleOf(imagePages);
  const drawn =
    sample.length === 0 ? NOTHING : await readPdfPictures(bytes, sample, { signal, deadlineMs: SAMPLE_DEADLINE_MS });
  const blank = new Set([...looked.blankPages, ...drawn.blankPages]);
  const left = pages.filter((page) => !blank.has(page));
  const tokens = weigh(name, pages, looked, drawn);
  const sum = left.reduce((total, page) => total + (tokens.get(page) ?? 0), 0);
  return { pages: left, tokensEach: left.length === 0 ? 0 : Math.ceil(sum / left.length) };
}

const NOTHING: PdfPictures = { pictures: [], blankPages: [], brokenPages: [] };

/** Likely tokens of each page's picture; nothing for one that is empty or cannot be drawn. */
function weigh(
  name: string,
  pages: readonly number[],
  looked: PdfPictures<SeenPage>,
  drawn: PdfPictures,
): Map<number, number> {
  const reached = drawn.pictures.length + drawn.blankPages.length + drawn.brokenPages.length;
  // Where all that were drawn are empty, some of the others may not be.
  const share = reached === 0 ? 1 : Math.max(drawn.pictures.length, LEAST_SHOWN) / reached;
  const known = new Map<number, number>();
  for (const page of [...looked.blankPages, ...looked.brokenPages]) known.set(page, 0);
  for (const seen of looked.pictures) known.set(seen.page, pictureTokens(name, seen) * (seen.hasImage ? share : 1));
  for (const page of [...drawn.blankPages, ...drawn.brokenPages]) known.set(page, 0);
  for (const picture of drawn.pictures) known.set(picture.page, pictureTokens(name, picture));
  const sum = [...known.values()].reduce((total, each) => total + each, 0);
  const usual = known.size === 0 ? PAGE_PICTURE_TOKENS : sum / known.size;
  return new Map(pages.map((page) => [page, known.get(page) ?? usual]));
}

/** Neighbours, from all over the list: the empty backs of sheets are every second page. */
function sampleOf(pages: readonly number[]): number[] {
  if (pages.length <= SAMPLED_PAIRS * 2) return [...pages];
  return Array.from({ length: SAMPLED_PAIRS }, (_, index) => {
    const at = Math.floor(((index + 0.5) * pages.length) / SAMPLED_PAIRS);
    return pages.slice(at, at + 2);
  }).flat();
}

import type { Skipped } from "@/lib/ai/files/file-kinds";
import { type LikelyPage, likelyPictures, likelyTokens, lookAtPages } from "@/lib/ai/files/pages/look-at-pages";
import { pictureTokens } from "@/lib/ai/files/pages/picture-parts";
import { type PagePicture, readPdfPictures } from "@/lib/ai/files/pages/read-pdf-pictures";
import type { RangedFile } from "@/lib/ai/files/reader/read-source";
import { type FileToUnderstand, mostPicturesOf } from "@/lib/ai/files/understood-file";
import { findModel } from "@/lib/domain/model-catalog";
import { listPages, MAX_PICTURES_PER_DOCUMENT, PAGE_PICTURE_TOKENS } from "@/lib/domain/page-pictures";
import { env } from "@/lib/env";

/** What becomes of a PDF's pages without text. */
export interface ShownPages {
  /** Of pages that are drawn already, in their order. */
  pictures: PagePicture[];
  /** Pages that are shown; of a quote and of what is read in parts those that would be. */
  pages: number[];
  /** Of all of them, estimated; of what is read in parts likely. */
  tokens: number;
  skipped?: Skipped;
  /** Of a quote and of what is read in parts: all pages without text but for those on which nothing is. */
  seen?: LikelyPage[];
}

const NONE = { pictures: [], pages: [], tokens: 0 };
/** A part needs room for the mark of the page beside its picture. */
const MARK_TOKENS = 60;

/**
 * Shows pages without text as pictures, to models that take pictures: as many as one request takes and the window holds.
 * Empty ones do not count. What is read in parts gets its pictures part by part, and a quote none: here their pages are
 * looked at and named alone.
 * @param pages without text, by number, in their order
 * @param isTextTooLong the text leaves no room for a picture: no more pages are looked at than could be shown
 * @throws the signal's own reason
 */
export async function showPages(
  file: FileToUnderstand,
  source: Uint8Array | RangedFile,
  pages: number[],
  { maxTokens, isTextTooLong }: { maxTokens: number; isTextTooLong: boolean },
): Promise<ShownPages> {
  if (pages.length === 0) return NONE;
  const { lane, signal } = file;
  if (!findModel(file.model ?? env().DEFAULT_MODEL).isVisual) return { ...NONE, skipped: skip(pages, "model") };
  const most = mostOf(file, maxTokens);
  const isForParts = (file.isFirstLook || file.isQuote) && isTextTooLong && file.partTokens === undefined;
  if (most === 0 || isForParts) return { ...NONE, skipped: skip(pages, "limit") };
  if (file.isQuote || file.partTokens !== undefined) {
    const seen = file.seenPages ?? (await lookAtPages(file.name, source, pages, { lane, signal }));
    return file.partTokens === undefined ? foreseePages(seen, most) : namePages(seen, most);
  }
  // One more than can be shown, to know whether there are more: pages behind it may be empty.
  const drawn = await readPdfPictures(source, isTextTooLong ? pages.slice(0, most) : pages, {
    lane,
    signal,
    maxPictures: most + 1,
  });
  const pictures = drawn.pictures.slice(0, most);
  const known = new Set([...pictures.map(({ page }) => page), ...drawn.blankPages]);
  const unseen = pages.filter((page) => !known.has(page));
  // Parts have their own time for pages that were not reached; a page that cannot be drawn stays so.
  const isMore = unseen.some((page) => !drawn.brokenPages.includes(page)) && pages.length > most;
  return {
    pictures,
    pages: pictures.map(({ page }) => page),
    tokens: pictures.reduce((sum, picture) => sum + pictureTokens(file.name, picture), 0),
    ...(unseen.length > 0 && { skipped: skip(unseen, isMore ? "limit" : "unreadable") }),
  };
}

function mostOf(file: FileToUnderstand, maxTokens: number): number {
  const { partTokens } = file;
  if (partTokens === undefined) return mostPicturesOf(file, maxTokens);
  return partTokens < PAGE_PICTURE_TOKENS + MARK_TOKENS ? 0 : MAX_PICTURES_PER_DOCUMENT;
}

/** Of a quote of one call, which is likely to find out which of them are empty. */
function foreseePages(seen: LikelyPage[], most: number): ShownPages {
  if (likelyPictures(seen) > most) return { ...namePages(seen, most), seen };
  const likely = seen.filter(({ likelihood }) => likelihood > 0);
  return { ...namePages(likely.length > 0 ? likely : seen, seen.length), seen };
}

function namePages(seen: LikelyPage[], most: number): ShownPages {
  const named = seen.slice(0, most);
  const pages = seen.map(({ page }) => page);
  return {
    pictures: [],
    pages: pages.slice(0, most),
    tokens: likelyTokens(named),
    seen: named,
    ...(pages.length > most && { skipped: skip(pages.slice(most), "limit") }),
  };
}

function skip(pages: number[], pagesReason: Skipped["pagesReason"]): Skipped {
  return { pages: pages.length, pageNumbers: listPages(pages), pagesReason };
}

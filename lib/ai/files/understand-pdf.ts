import type { LeftOut, Skipped } from "@/lib/ai/files/file-kinds";
import { readPdf } from "@/lib/ai/files/read-pdf";
import { type PagePicture, readPdfPictures } from "@/lib/ai/files/read-pdf-pictures";
import type { SourceReader } from "@/lib/ai/files/read-source";
import { cutToTokens } from "@/lib/ai/files/read-text";
import {
  asText,
  budgetOf,
  type FileToUnderstand,
  MAX_CHARACTERS_PER_TOKEN,
  readAll,
  type UnderstoodFile,
} from "@/lib/ai/files/understood-file";
import type { ModelPart } from "@/lib/ai/model-message";
import { MAX_DOCUMENT_BYTES } from "@/lib/domain/limits";
import { findModel } from "@/lib/domain/model-catalog";
import { renderBlock } from "@/lib/domain/prompt-blocks";
import { estimateImageTokens, estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";

/** Each is paid for as a picture, and a request with very many of them is refused. */
const MAX_PICTURE_PAGES = 20;
/** The most that one can take, with the words that name it. */
const PICTURE_PAGE_TOKENS = estimateImageTokens(100_000, 100_000) + 40;

/**
 * A PDF as the text of its pages; pages without text are shown as pictures, as many of them as are read at once and the
 * window holds, to models that take pictures.
 * @throws TurnError UNSUPPORTED_FILE, FILE_UNREADABLE
 */
export async function understandPdf(file: FileToUnderstand, reader: SourceReader): Promise<UnderstoodFile> {
  const bytes = await readAll(file, reader, MAX_DOCUMENT_BYTES, "PDF");
  const maxTokens = budgetOf(file);
  const maxCharacters = maxTokens * MAX_CHARACTERS_PER_TOKEN;
  const { pageCount, pages } = await readPdf(bytes, { maxCharacters, signal: file.signal });
  const empty = pages.flatMap((page, index) => (page.trim() === "" ? [index + 1] : []));
  const shown = await showPages(file, bytes, empty, maxTokens);
  if (empty.length === pages.length && shown.count === 0) throw nothingToRead(shown);

  const shownPages = new Set(shown.pictures.map(({ page }) => page));
  const marked = pages.map((page, index) => `${markOf(index + 1, shownPages)}\n${page}`.trimEnd()).join("\n\n");
  const text = cutToTokens(marked, Math.max(1, maxTokens - shown.tokens));
  const leftOut = describeLeftOut(marked.length - text.length, pageCount - pages.length);
  const understood = asText(file, "pdf", text, {
    pages: pageCount,
    ...(shown.count > 0 && { picturePages: shown.count }),
    ...(leftOut && { leftOut }),
    ...(shown.skipped && { skipped: shown.skipped }),
  });
  const { extraction, parts } = understood;
  return {
    ...understood,
    parts: [...parts, ...shown.pictures.flatMap((picture) => asParts(file.name, picture))],
    extraction: { ...extraction, tokens: extraction.tokens + shown.tokens },
  };
}

function markOf(page: number, shownPages: Set<number>): string {
  return shownPages.has(page) ? `[Page ${page}, shown as a picture below]` : `[Page ${page}]`;
}

function describeLeftOut(cut: number, unread: number): LeftOut | undefined {
  if (unread === 0 && cut === 0) return undefined;
  return { reason: "window", ...(cut > 0 && { characters: cut }), ...(unread > 0 && { pages: unread }) };
}

interface ShownPages {
  pictures: PagePicture[];
  /** Of a quote there are no pictures, but their number. */
  count: number;
  tokens: number;
  skipped?: Skipped;
}

/** The pages without text as pictures, and what becomes of the others. */
async function showPages(
  file: FileToUnderstand,
  bytes: Uint8Array,
  empty: number[],
  maxTokens: number,
): Promise<ShownPages> {
  if (empty.length === 0) return { pictures: [], count: 0, tokens: 0 };
  // Parts of a text have no room for pictures.
  if (file.isWhole)
    return { pictures: [], count: 0, tokens: 0, skipped: { pages: empty.length, pagesReason: "limit" } };
  if (!findModel(file.model ?? env().DEFAULT_MODEL).isVisual) {
    return { pictures: [], count: 0, tokens: 0, skipped: { pages: empty.length, pagesReason: "model" } };
  }
  const wanted = empty.slice(0, Math.min(MAX_PICTURE_PAGES, Math.floor(maxTokens / PICTURE_PAGE_TOKENS)));
  const beyond = empty.length - wanted.length;
  if (file.isQuote) {
    const skipped: Skipped | undefined = beyond > 0 ? { pages: beyond, pagesReason: "limit" } : undefined;
    return { pictures: [], count: wanted.length, tokens: wanted.length * PICTURE_PAGE_TOKENS, skipped };
  }
  const { pictures, blankPages } = await readPdfPictures(bytes, wanted, { signal: file.signal });
  const broken = wanted.length - pictures.length - blankPages.length;
  const skippedPages = beyond + broken;
  return {
    pictures,
    count: pictures.length,
    tokens: pictures.reduce((sum, picture) => sum + tokensOf(file.name, picture), 0),
    ...(skippedPages > 0 && { skipped: { pages: skippedPages, pagesReason: beyond > 0 ? "limit" : "unreadable" } }),
  };
}

function tokensOf(name: string, picture: PagePicture): number {
  return estimateTokens(labelOf(name, picture)) + estimateImageTokens(picture.width, picture.height);
}

function asParts(name: string, picture: PagePicture): ModelPart[] {
  return [
    { type: "text", text: labelOf(name, picture) },
    { type: "image", mediaType: "image/jpeg", bytes: picture.bytes },
  ];
}

function labelOf(name: string, { page }: PagePicture): string {
  return renderBlock({ tag: "document", name, kind: "pdf", text: `The picture of page ${page} follows.` });
}

function nothingToRead({ skipped }: ShownPages): TurnError {
  if (skipped?.pagesReason === "model") {
    const message = "The PDF holds no text, only pictures of pages, and the project's model takes no pictures.";
    return new TurnError("UNSUPPORTED_FILE", message);
  }
  if (skipped?.pagesReason === "limit") {
    const message = "The PDF holds no text, only pictures of pages, for which the model's window has no room.";
    return new TurnError("UNSUPPORTED_FILE", message);
  }
  if (skipped) return new TurnError("FILE_UNREADABLE", "The PDF holds no text, and its pages could not be drawn.");
  return new TurnError("FILE_UNREADABLE", "The pages of the PDF are empty.");
}

import type { PagesToShow } from "@/lib/ai/files/look-at-pages";
import { type CountedDocument, pageStarts, rangesOf } from "@/lib/domain/document-ranges";
import { MAX_PICTURES_PER_REQUEST, PAGE_PICTURE_TOKENS } from "@/lib/domain/page-pictures";
import { splitText } from "@/lib/domain/split-text";
import { estimateTokens } from "@/lib/domain/token-estimate";
import type { PartCoverage } from "@/lib/services/turns/parts/turn-part";

/** A document of a turn with all of its text that can be read. */
export interface WholeDocument extends CountedDocument {
  kind: string;
  note?: string;
  /** Of a PDF: its pages without text, which go along as pictures. */
  pictures?: PagesToShow & { fileId: string };
}

export interface CutPart {
  covers: PartCoverage;
  content: string;
  /** Of the content, with the heading and what the pictures that go along are likely to take. */
  tokens: number;
}

/** A heading above each part of a table costs its length as often. */
const MAX_HEADING_CHARACTERS = 2_000;

/**
 * Cuts a document into parts of at most `maxTokens`, and of no more pictures than one request takes. Parts of a table each
 * get its first line, and the part with a page's mark gets its picture, for which the part keeps room as if it were large.
 */
export function cutDocument(document: WholeDocument, maxTokens: number): CutPart[] {
  const heading = headingOf(document);
  const headingTokens = heading === undefined ? 0 : estimateTokens(heading) + 1;
  const pictures = picturesOf(document);
  const pins = { pins: pictures, most: MAX_PICTURES_PER_REQUEST };
  const stretches = splitText(document.text, maxTokens - headingTokens, pins);
  const ranges = rangesOf(document, stretches);
  return stretches.map(({ start, end }, index) => {
    const pages = pictures.flatMap(({ at, page }) => (at >= start && at < end ? [page] : []));
    const fileId = document.pictures?.fileId;
    const content = document.text.slice(start, end);
    const range = ranges[index];
    return {
      covers: {
        ranges: range ? [range] : [],
        kind: document.kind,
        ...(document.note !== undefined && { note: document.note }),
        ...(heading !== undefined && index > 0 && { heading }),
        ...(fileId !== undefined && pages.length > 0 && { pictures: { fileId, pages } }),
      },
      content,
      tokens: estimateTokens(content) + headingTokens + Math.ceil(pages.length * (document.pictures?.tokensEach ?? 0)),
    };
  });
}

/** Pictures by the places where the marks of their pages stand; a page that was cut off with the text has none. */
function picturesOf({ text, pictures }: WholeDocument): { page: number; at: number; tokens: number }[] {
  if (!pictures) return [];
  const starts = pageStarts(text);
  return pictures.pages.flatMap((page) => {
    const at = starts[page - 1];
    return at === undefined ? [] : [{ page, at, tokens: PAGE_PICTURE_TOKENS }];
  });
}

function headingOf({ kind, text }: WholeDocument): string | undefined {
  if (kind !== "csv") return undefined;
  const lineEnd = text.indexOf("\n");
  return lineEnd > 0 && lineEnd <= MAX_HEADING_CHARACTERS ? text.slice(0, lineEnd).trimEnd() : undefined;
}

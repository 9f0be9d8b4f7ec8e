import { type LikelyPage, likelyTokens } from "@/lib/ai/files/pages/look-at-pages";
import {
  type CountedDocument,
  type DocumentRange,
  hasTextOnPages,
  pageStarts,
  rangesOf,
} from "@/lib/domain/document-ranges";
import { MAX_PICTURES_PER_REQUEST, PAGE_PICTURE_TOKENS } from "@/lib/domain/page-pictures";
import { splitText, type TextStretch } from "@/lib/domain/split-text";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { takePace } from "@/lib/give-way";
import type { PartCoverage } from "@/lib/services/turns/parts/turn-part";

/** A document of a turn with all of its text that can be read. */
export interface WholeDocument extends CountedDocument {
  kind: string;
  note?: string;
  /** Of a PDF: its pages without text, which go along as pictures. */
  pictures?: { fileId: string; pages: readonly LikelyPage[] };
}

export interface CutPart {
  covers: PartCoverage;
  content: string;
  /** When the model is asked about it: of the content, with the heading and what its pictures are likely to take. */
  tokens: number;
  /** How likely it is that the model is asked, from 0 to 1: not where nothing turns out to be on the pages. */
  likelihood: number;
}

/** Text that came with the call itself. */
export function inlineDocument(text: string): WholeDocument {
  return { name: "fileContent", kind: "text", text };
}

/** A heading above each part of a table costs its length as often. */
const MAX_HEADING_CHARACTERS = 2_000;

/**
 * Cuts a document into parts of at most `maxTokens`, and of no more pictures than one request takes. Parts of a table each
 * get its first line, and the part with a page's mark gets its picture, for which the part keeps room as if it were large. Lets
 * others work between the parts.
 */
export async function cutDocument(document: WholeDocument, maxTokens: number): Promise<CutPart[]> {
  const pace = takePace();
  const heading = headingOf(document);
  const headingTokens = heading === undefined ? 0 : estimateTokens(heading) + 1;
  const pictures = picturesOf(document);
  const pins = { pins: pictures, most: MAX_PICTURES_PER_REQUEST };
  const stretches: TextStretch[] = [];
  for (const stretch of splitText(document.text, maxTokens - headingTokens, pins)) {
    stretches.push(stretch);
    if (pace.isDue()) await pace.giveWay();
  }
  const ranges = rangesOf(document, stretches);
  const parts: CutPart[] = [];
  for (const [index, stretch] of stretches.entries()) {
    if (pace.isDue()) await pace.giveWay();
    const likely = pictures.flatMap(({ at, likely }) => (at >= stretch.start && at < stretch.end ? [likely] : []));
    const range = ranges[index];
    parts.push(
      toPart(document, {
        content: document.text.slice(stretch.start, stretch.end),
        ranges: range ? [range] : [],
        heading: index > 0 ? heading : undefined,
        headingTokens,
        pages: likely,
      }),
    );
  }
  return parts;
}

interface PieceOfDocument {
  content: string;
  ranges: DocumentRange[];
  /** Of a table, for all parts but the first. */
  heading: string | undefined;
  headingTokens: number;
  /** Its pages that go as pictures. */
  pages: LikelyPage[];
}

function toPart(
  { kind, note, pictures }: WholeDocument,
  { content, ranges, heading, headingTokens, pages }: PieceOfDocument,
): CutPart {
  const likelihood = pages.length === 0 || hasTextOnPages(content) ? 1 : likelihoodOfAny(pages);
  return {
    covers: {
      ranges,
      kind,
      ...(note !== undefined && { note }),
      ...(heading !== undefined && { heading }),
      ...(pictures &&
        pages.length > 0 && { pictures: { fileId: pictures.fileId, pages: pages.map(({ page }) => page) } }),
    },
    content,
    tokens:
      estimateTokens(content) + headingTokens + (likelihood === 0 ? 0 : Math.ceil(likelyTokens(pages) / likelihood)),
    likelihood,
  };
}

function likelihoodOfAny(pages: readonly LikelyPage[]): number {
  return 1 - pages.reduce((none, { likelihood }) => none * (1 - likelihood), 1);
}

interface PinnedPage {
  likely: LikelyPage;
  /** Where its mark stands. */
  at: number;
  tokens: number;
}

/** Pictures by the places where the marks of their pages stand; a page that was cut off with the text has none. */
function picturesOf({ text, pictures }: WholeDocument): PinnedPage[] {
  if (!pictures) return [];
  const starts = pageStarts(text);
  return pictures.pages.flatMap((likely) => {
    const at = starts[likely.page - 1];
    return at === undefined ? [] : [{ likely, at, tokens: PAGE_PICTURE_TOKENS }];
  });
}

function headingOf({ kind, text }: WholeDocument): string | undefined {
  if (kind !== "csv") return undefined;
  const lineEnd = text.indexOf("\n");
  return lineEnd > 0 && lineEnd <= MAX_HEADING_CHARACTERS ? text.slice(0, lineEnd).trimEnd() : undefined;
}

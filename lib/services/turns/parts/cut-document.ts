import { type CountedDocument, rangesOf } from "@/lib/domain/document-ranges";
import { splitText } from "@/lib/domain/split-text";
import { estimateTokens } from "@/lib/domain/token-estimate";
import type { PartCoverage } from "@/lib/services/turns/parts/turn-part";

/** A document of a turn with all of its text that can be read. */
export interface WholeDocument extends CountedDocument {
  kind: string;
  note?: string;
}

export interface CutPart {
  covers: PartCoverage;
  content: string;
  /** Of the content, with the heading that goes along. */
  tokens: number;
}

/** A heading above each part of a table costs its length as often. */
const MAX_HEADING_CHARACTERS = 2_000;

/** Cuts a document into parts of at most `maxTokens`. Parts of a table each get its first line. */
export function cutDocument(document: WholeDocument, maxTokens: number): CutPart[] {
  const heading = headingOf(document);
  const headingTokens = heading === undefined ? 0 : estimateTokens(heading) + 1;
  const stretches = splitText(document.text, maxTokens - headingTokens);
  const ranges = rangesOf(document, stretches);
  return stretches.map(({ start, end }, index) => {
    const content = document.text.slice(start, end);
    const range = ranges[index];
    return {
      covers: {
        ranges: range ? [range] : [],
        kind: document.kind,
        ...(document.note !== undefined && { note: document.note }),
        ...(heading !== undefined && index > 0 && { heading }),
      },
      content,
      tokens: estimateTokens(content) + headingTokens,
    };
  });
}

function headingOf({ kind, text }: WholeDocument): string | undefined {
  if (kind !== "csv") return undefined;
  const lineEnd = text.indexOf("\n");
  return lineEnd > 0 && lineEnd <= MAX_HEADING_CHARACTERS ? text.slice(0, lineEnd).trimEnd() : undefined;
}

import type { OfficeKind, SlidesKind, WorkbookKind } from "@/lib/ai/files/file-kinds";
import type { OfficeText } from "@/lib/ai/files/office/office-text";

/** Between sections of a document. */
export const SEPARATOR = "\n\n";

const WORKBOOKS: Record<WorkbookKind, true> = { xlsx: true, xls: true, xlsb: true, ods: true };

const SLIDES: Record<SlidesKind, true> = { pptx: true, ppt: true, odp: true };

export const isSlides = (kind: OfficeKind): kind is SlidesKind => kind in SLIDES;

export const isWorkbook = (kind: OfficeKind): kind is WorkbookKind => kind in WORKBOOKS;

/** The text of each sheet or slide behind its number and name; a document's sections as they are. */
export function markSections({ kind, sections }: Pick<OfficeText, "kind" | "sections">): string[] {
  return sections.map(({ title, text }, index) => markOf(kind, index, title) + text);
}

function markOf(kind: OfficeKind, index: number, title: string | undefined): string {
  if (isWorkbook(kind)) return `[Sheet ${index + 1}: ${title ?? ""}]\n`;
  return isSlides(kind) ? `[Slide ${index + 1}]\n` : "";
}

/** As of a page of a PDF: a line that is stamped on a scan, or the words below a photo. */
const MAX_CHARACTERS_PER_PICTURE = 200;

/** Whether a document is pictures with no more than some words beside each of them. */
export function isLittleText({ sections, skipped: { pictures = 0 } }: OfficeText): boolean {
  const characters = sections.reduce((sum, { text }) => sum + text.length, 0);
  return characters <= pictures * MAX_CHARACTERS_PER_PICTURE;
}

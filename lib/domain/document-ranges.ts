import type { TextStretch } from "@/lib/domain/split-text";

/** What a document is counted in, by what it holds. */
export type RangeUnit = "page" | "sheet" | "slide" | "line" | "character";

/** Where in its document a stretch of text lies, counted from 1. */
export interface DocumentRange {
  /** The document's name. */
  name: string;
  unit: RangeUnit;
  first: number;
  last: number;
  /** Of the whole document, also where it was not read to its end. */
  total: number;
}

export interface CountedDocument {
  name: string;
  text: string;
  /** Pages, sheets or slides of the whole document, where the reader of the file counted them. */
  pages?: number;
  sheets?: number;
  slides?: number;
}

/** Says of each stretch which pages, sheets, slides or lines it covers. Stretches are in order and without gaps. */
export function rangesOf(document: CountedDocument, stretches: readonly TextStretch[]): DocumentRange[] {
  const { unit, starts, total } = unitsOf(document, stretches.length);
  const indexAt = (position: number) => (starts === null ? position + 1 : countUpTo(starts, position));
  return stretches.map(({ start, end }) => {
    const first = Math.max(1, indexAt(start));
    return { name: document.name, unit, first, last: Math.max(first, indexAt(end - 1)), total };
  });
}

/** Ranges that follow each other as one; null when they are of several documents. */
export function joinRanges(ranges: readonly DocumentRange[]): DocumentRange | null {
  const [head] = ranges;
  if (!head || ranges.some(({ name }) => name !== head.name)) return null;
  return { ...head, first: Math.min(...ranges.map((r) => r.first)), last: Math.max(...ranges.map((r) => r.last)) };
}

/** "pages 287-429 of 2,000" */
export function describeRange({ unit, first, last, total }: DocumentRange): string {
  const number = (value: number) => value.toLocaleString("en-US");
  return first === last
    ? `${unit} ${number(first)} of ${number(total)}`
    : `${unit}s ${number(first)}-${number(last)} of ${number(total)}`;
}

/** What all parts cover, document by document: "pages 1-2,000 of 2,000". Names stand only where there are several. */
export function describeCoverage(ranges: readonly DocumentRange[]): string {
  const names = [...new Set(ranges.map(({ name }) => name))];
  const described = names.map((name) => {
    const range = joinRanges(ranges.filter((one) => one.name === name));
    return range ? `${names.length > 1 ? `${name}, ` : ""}${describeRange(range)}` : "";
  });
  return described.filter((text) => text !== "").join("; ");
}

/** Where each page of a text begins, by its mark; empty when there are none. */
export function pageStarts(text: string): number[] {
  return marksOf(text, "Page");
}

/** Whether a text holds more than the marks of its pages. */
export function hasTextOnPages(text: string): boolean {
  return text.replaceAll(MARKS.Page, "").trim() !== "";
}

interface Units {
  unit: RangeUnit;
  /** Where each unit begins; null when characters are counted. */
  starts: number[] | null;
  total: number;
}

function unitsOf({ text, pages, sheets, slides }: CountedDocument, parts: number): Units {
  for (const [unit, mark, counted] of [
    ["page", "Page", pages],
    ["sheet", "Sheet", sheets],
    ["slide", "Slide", slides],
  ] as const) {
    const starts = marksOf(text, mark);
    if (starts.length > 1) return { unit, starts, total: Math.max(counted ?? 0, starts.length) };
  }
  const pageBreaks = startsAfter(text, "\f");
  if (pageBreaks.length > 1) return { unit: "page", starts: pageBreaks, total: pageBreaks.length };
  const lines = startsAfter(text, "\n");
  // Lines that are longer than a part say nothing of where it lies.
  if (lines.length > 2 * parts) return { unit: "line", starts: lines, total: lines.length };
  return { unit: "character", starts: null, total: text.length };
}

/** Where "[Page 1]", "[Page 2]" ... stand, each on a line of its own; what is out of order is the document's own text. */
function marksOf(text: string, mark: "Page" | "Sheet" | "Slide"): number[] {
  const starts: number[] = [];
  for (const match of text.matchAll(MARKS[mark])) if (Number(match[1]) === starts.length + 1) starts.push(match.index);
  return starts;
}

const MARKS = {
  Page: /^\[Page (\d{1,7})(?:, [^\]\n]*)?\]$/gm,
  Sheet: /^\[Sheet (\d{1,7})(?:: [^\n]*)?\]$/gm,
  Slide: /^\[Slide (\d{1,7})\]$/gm,
};

/** The text's beginning and each place after a separator that has something behind it. */
function startsAfter(text: string, separator: string): number[] {
  const starts = [0];
  for (let at = text.indexOf(separator); at !== -1 && at + 1 < text.length; at = text.indexOf(separator, at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

/** How many of the rising numbers are at most `position`. */
function countUpTo(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

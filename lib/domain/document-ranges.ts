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
  const { unit, indexes, total } = countUnits(document, stretches);
  return stretches.map((_, index) => {
    const first = Math.max(1, indexes[2 * index] ?? 1);
    return { name: document.name, unit, first, last: Math.max(first, indexes[2 * index + 1] ?? 1), total };
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
  /** Of the first and the last character of each stretch: which unit it lies in, counted from 1. */
  indexes: number[];
  total: number;
}

function countUnits({ text, pages, sheets, slides }: CountedDocument, stretches: readonly TextStretch[]): Units {
  const places = stretches.flatMap(({ start, end }) => [start, end - 1]);
  for (const [unit, mark, counted] of [
    ["page", "Page", pages],
    ["sheet", "Sheet", sheets],
    ["slide", "Slide", slides],
  ] as const) {
    const starts = marksOf(text, mark);
    if (starts.length < 2) continue;
    const indexes = places.map((place) => countUpTo(starts, place));
    return { unit, indexes, total: Math.max(counted ?? 0, starts.length) };
  }
  const pageBreaks = text.includes("\f") ? countParted(text, "\f", places) : undefined;
  if (pageBreaks && pageBreaks.total > 1) return { unit: "page", ...pageBreaks };
  const lines = countParted(text, "\n", places);
  // Lines that are longer than a part say nothing of where it lies.
  if (lines.total > 2 * stretches.length) return { unit: "line", ...lines };
  return { unit: "character", indexes: places.map((place) => place + 1), total: text.length };
}

/**
 * Where "[Page 1]", "[Page 2]" ... stand, each on a line of its own; what is out of order is the document's own text, of which
 * a line that looks like one costs no more than any other.
 */
function marksOf(text: string, mark: "Page" | "Sheet" | "Slide"): number[] {
  const starts: number[] = [];
  const pattern = new RegExp(MARKS[mark].source, "y");
  for (let at = 0; ; at++) {
    at = text.indexOf(`[${mark} ${starts.length + 1}`, at);
    if (at === -1) return starts;
    if (at > 0 && text[at - 1] !== "\n") continue;
    pattern.lastIndex = at;
    if (Number(pattern.exec(text)?.[1]) === starts.length + 1) starts.push(at);
  }
}

/**
 * On lines as "\n" ends them: with `^`, which stands behind other separators too, a long line of many beginnings would be looked
 * through from each of them.
 */
const MARKS = {
  Page: /(?<![^\n])\[Page (\d{1,7})(?:, [^\]\n]*)?\](?![^\n])/g,
  Sheet: /(?<![^\n])\[Sheet (\d{1,7})(?:: [^\n]*)?\](?![^\n])/g,
  Slide: /(?<![^\n])\[Slide (\d{1,7})\](?![^\n])/g,
};

/**
 * In which line, or whatever a separator ends, each of the rising places lies, and how many there are with something in them.
 * Counted and not listed: a text may be nothing but line breaks.
 */
function countParted(text: string, separator: string, places: readonly number[]): { indexes: number[]; total: number } {
  const code = separator.charCodeAt(0);
  let count = 1;
  let at = 0;
  const countTo = (end: number) => {
    for (; at < end; at++) if (text.charCodeAt(at) === code) count += 1;
    return count;
  };
  return { indexes: places.map(countTo), total: countTo(text.length - 1) };
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

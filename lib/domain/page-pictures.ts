import { estimateImageTokens } from "@/lib/domain/token-estimate";

/** Pages without text, which go to the model as pictures: how many at once, how many of one document, what each weighs. */

/** Each is paid for as a picture, and a request with very many of them is refused. */
export const MAX_PICTURES_PER_REQUEST = 20;

/** Providers take requests of some 50 MB, in which a picture is a third larger than its file. */
export const MAX_PICTURE_BYTES_PER_REQUEST = 32 * 1024 * 1024;

/** More pages of one document are not drawn, in how many parts it may be read. */
export const MAX_PICTURES_PER_DOCUMENT = 1_000;

/** The most tokens that one can take, with the words that name it. */
export const PAGE_PICTURE_TOKENS = estimateImageTokens(100_000, 100_000) + 40;

/** Page numbers in rising order as a record says them: "1-3, 7". Empty for none. */
export function listPages(pages: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range && page === range[1] + 1) range[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}

/** A list of pages for a sentence: its beginning where it is long. */
export function shortenPageList(list: string): string {
  const ranges = list.split(", ");
  return ranges.length <= MAX_RANGES_IN_WORDS ? list : `${ranges.slice(0, MAX_RANGES_IN_WORDS).join(", ")} and more`;
}

const MAX_RANGES_IN_WORDS = 12;

/** Brings two lists of pages of one document together; what both name stands once. */
export function joinPageLists(list: string | undefined, pages: readonly number[]): string {
  return listPages([...new Set([...numbersOf(list), ...pages])].toSorted((a, b) => a - b));
}

function numbersOf(list = ""): number[] {
  return list.split(", ").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number);
    if (!first || !last) return [];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

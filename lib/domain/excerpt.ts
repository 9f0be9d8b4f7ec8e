/** A piece of a text, and whether it is what was searched for. */
export interface ExcerptPart {
  text: string;
  isFound: boolean;
}

/** A word that the beginning of an excerpt cut in two. */
const HALF_WORD = /^\S{1,30}\s+/u;
/** The same at its end. Where nobody writes spaces between words, the end of what looks like a long one. */
const LAST_WORD = /\s*\S{0,30}$/u;
const MAX_CHARACTERS = 200;

/**
 * A piece of a text on one line, its words that were searched for told apart, whatever their letters' case.
 * @param text begins a little before the first of them
 * @param isCut whether there is more of it before, so that its first word may be half of one
 */
export function excerptOf(text: string, words: readonly string[], isCut: boolean): ExcerptPart[] {
  const pattern = new RegExp(`(${words.map(escapePattern).join("|")})`, "giu");
  const begin = isCut ? (HALF_WORD.exec(text)?.[0].length ?? 0) : 0;
  const first = text.search(pattern);
  const shown = text.slice(first >= 0 && first < begin ? first : begin);
  const parts = cutParts(
    shown.split(pattern).map((part, index) => ({ text: onOneLine(part), isFound: index % 2 === 1 })),
  );
  return [...(isCut ? [{ text: "…", isFound: false }] : []), ...parts.filter((part) => part.text !== "")];
}

/** No more than fits where it is shown; a word is never cut. */
function cutParts(parts: ExcerptPart[]): ExcerptPart[] {
  let left = MAX_CHARACTERS;
  const kept: ExcerptPart[] = [];
  for (const part of parts) {
    if (part.text.length > left && !part.isFound) {
      return [...kept, { text: `${part.text.slice(0, left).replace(LAST_WORD, "")}…`, isFound: false }];
    }
    kept.push(part);
    left = Math.max(0, left - part.text.length);
  }
  return kept;
}

const onOneLine = (text: string) => text.replace(/\s+/gu, " ");

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");

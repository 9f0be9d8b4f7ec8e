import { takeTokens } from "@/lib/domain/token-estimate";

/** A stretch of a text: from `start` to before `end`, in code units. */
export interface TextStretch {
  start: number;
  end: number;
}

/**
 * Cuts a text into stretches of at most `maxTokens` estimated tokens that together are the whole text. Cut where the text
 * itself has a border, the strongest that is not too far back: a page, sheet or slide, a heading, a paragraph, a line, a
 * sentence, a word. Only what has none of these (one endless word, a script without blanks) is cut between two characters.
 * Linear in the length of the text.
 */
export function splitText(text: string, maxTokens: number): TextStretch[] {
  const stretches: TextStretch[] = [];
  let start = 0;
  while (start < text.length) {
    const taken = takeTokens(text.slice(start), Math.max(1, maxTokens));
    // One character that is dearer than the limit still has to go somewhere.
    const length = taken.length === 0 ? firstCharacter(text, start) : taken.length;
    const isLast = start + length >= text.length;
    const end = isLast ? text.length : start + borderBefore(text.slice(start, start + length), text[start + length]);
    stretches.push({ start, end });
    start = end;
  }
  return stretches;
}

/** How far back a border may lie, as a share of what fits, and how it looks; a new part begins after `lookBehind`. */
const BORDERS: readonly { least: number; pattern: RegExp }[] = [
  { least: 0.5, pattern: /\n(?=\[(?:Page|Sheet|Slide) \d+[^\]\n]*\]\n)|\f/g },
  { least: 0.7, pattern: /\n(?=#{1,6} \S)/g },
  { least: 0.7, pattern: /\n[ \t]*\n+/g },
  { least: 0.7, pattern: /\n/g },
  { least: 0.7, pattern: /[.!?…]["')\]]? +|[。！？]/g },
  { least: 0, pattern: /\s+/g },
];

/** Where the first of two parts ends: at least one character. */
function borderBefore(taken: string, next: string | undefined): number {
  // What follows begins a new word, so nothing is cut in two.
  for (const { least, pattern } of BORDERS) {
    const from = Math.floor(taken.length * least);
    let found = 0;
    for (const match of taken.slice(from).matchAll(pattern)) found = from + match.index + match[0].length;
    if (found > 0) return found;
  }
  let end = taken.length;
  // An accent or a joiner belongs to the character before it.
  while (end > 1 && isContinuation(end === taken.length ? next : taken[end])) end -= 1;
  return isLowSurrogate(taken, end) ? Math.max(end - 1, 2) : end;
}

function isContinuation(character: string | undefined): boolean {
  return character !== undefined && /\p{M}|\u200d|\ufe0f/u.test(character);
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return index < text.length && code >= 0xdc00 && code <= 0xdfff;
}

function firstCharacter(text: string, start: number): number {
  return String.fromCodePoint(text.codePointAt(start) ?? 0).length;
}

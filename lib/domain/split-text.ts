import { estimateTokens, takeTokens } from "@/lib/domain/token-estimate";

/** A stretch of a text: from `start` to before `end`, in code units. */
export interface TextStretch {
  start: number;
  end: number;
}

/** What goes along with a place of a text and weighs beside it, e.g. the picture of a page at the page's mark. */
export interface Pin {
  /** In code units. */
  at: number;
  tokens: number;
}

export interface Pins {
  /** In the order of their places, no two at one. */
  pins: readonly Pin[];
  /** That one stretch may take. */
  most: number;
}

const NO_PINS: Pins = { pins: [], most: 0 };

/**
 * Cuts a text into stretches of at most `maxTokens` estimated tokens that together are the whole text. Cut where the text
 * itself has a border, the strongest that is not too far back: a page, sheet or slide, a heading, a paragraph, a line, a
 * sentence, a word. Only what has none of these (one endless word, a script without blanks) is cut between two characters.
 * A stretch that is full before the next pin ends there. Linear in the length of the text; each stretch is work of its own, so
 * that others can be let in between.
 */
export function* splitText(
  text: string,
  maxTokens: number,
  { pins, most }: Pins = NO_PINS,
): Generator<TextStretch, void> {
  let start = 0;
  let pin = 0;
  while (start < text.length) {
    const reached = reach(text, start, Math.max(1, maxTokens), { pins: pins.slice(pin, pin + most + 1), most });
    // One character that is dearer than the limit still has to go somewhere.
    const length = reached.end === start ? firstCharacter(text, start) : reached.end - start;
    const isBorder = reached.isPin || start + length >= text.length;
    const end = isBorder
      ? start + length
      : start + borderBefore(text.slice(start, start + length), text[start + length]);
    yield { start, end };
    start = end;
    while (pin < pins.length && (pins[pin]?.at ?? 0) < start) pin += 1;
  }
}

/** How far a stretch could go, wherever that is; a pin that it has no more room for is a border as good as any. */
function reach(text: string, start: number, maxTokens: number, { pins, most }: Pins): { end: number; isPin: boolean } {
  let left = maxTokens;
  let from = start;
  for (const [taken, { at, tokens }] of pins.entries()) {
    const before = text.slice(from, at);
    const fitting = takeTokens(before, left);
    if (fitting.length < before.length) return { end: from + fitting.length, isPin: false };
    left -= estimateTokens(before);
    // The first at the very beginning has to go somewhere too.
    if (at > start && (taken >= most || tokens > left)) return { end: at, isPin: true };
    left = Math.max(0, left - tokens);
    from = at;
  }
  return { end: from + takeTokens(text.slice(from), left).length, isPin: false };
}

/** How far back a border may lie, as a share of what fits, and how it looks; a new part begins after `lookBehind`. */
const BORDERS: readonly { least: number; pattern: RegExp }[] = [
  // One digit is enough to know a mark by: with all of them before the rest, a line of digits takes the square of its length.
  { least: 0.5, pattern: /\n(?=\[(?:Page|Sheet|Slide) \d[^\]\n]*\]\n)|\f/g },
  { least: 0.7, pattern: /\n(?=#{1,6} \S)/g },
  { least: 0.7, pattern: /\n[ \t]*\n+/g },
  { least: 0.7, pattern: /\n/g },
  { least: 0.7, pattern: /[.!?…]["')\]]? +|[。！？]/g },
  { least: 0, pattern: /\s+/g },
];

/** Accents and joiners that one character can have; texts of many languages have five, the longest emoji a dozen. */
const MAX_CONTINUATIONS = 64;

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
  const least = Math.max(1, end - MAX_CONTINUATIONS);
  // An accent or a joiner belongs to the character before it.
  while (end > least && isContinuation(end === taken.length ? next : taken[end])) end -= 1;
  // More of them are no character of any script: back to its beginning, a part could be one accent, and so could each.
  if (end === least && isContinuation(taken[end])) return taken.length;
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

/**
 * Parts of a question by which a text is found in languages that write no spaces between words, or join particles to them
 * (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese): a database that takes words at their spaces finds none there.
 */

/** Of what is written in these letters each pair counts as a word would. */
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
/** Alphabets: a pair of their letters stands in every text. */
const ALPHABETIC = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const ALPHABETIC_LENGTH = 4;
/** Names, codes and numbers that stand in such a question. */
const OTHER_WORDS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]{2,}/gu;

/** Particles and endings of Japanese: pairs of these alone say nothing. */
const HIRAGANA = /^\p{Script=Hiragana}+$/u;

/** Each is looked for in all of a project's sections. */
const MAX_PIECES = 36;
const MAX_OTHER_WORDS = 12;
/** No more pieces than this, beside more words than twice its signs: a name in a question that is written in words. */
const NAME_PIECES = 4;
const WORDS_PER_SIGN = 2;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/** How a question is looked for beside, or instead of, by its words. */
export interface SearchPieces {
  /** In lower case, each once; none when it has no such letters. Of a long one those at both its ends: what is asked stands there. */
  pieces: string[];
  /**
   * It is written in words with spaces, with a name or a word of such letters among them: by its words it is found too, in
   * other endings. Its pieces are then those of that name alone.
   */
  isInWords: boolean;
}

/** The pieces of a question. */
export function searchPieces(question: string): SearchPieces {
  const text = question.toLowerCase();
  const pieces = [
    ...Array.from(text.matchAll(PAIRED), ([run]) => windowsOf(run, 2)),
    ...Array.from(text.matchAll(ALPHABETIC), ([run]) => windowsOf(run, ALPHABETIC_LENGTH)),
  ].flat();
  const telling = pieces.filter((piece) => !HIRAGANA.test(piece));
  const kept = [...new Set(telling.length > 0 ? telling : pieces)];
  if (kept.length === 0) return { pieces: [], isInWords: true };
  if (isNameAmongWords(text, kept.length)) return { pieces: kept, isInWords: true };
  const words = new Set(Array.from(text.matchAll(OTHER_WORDS), ([word]) => word));
  return { pieces: [...bothEnds(kept, MAX_PIECES), ...bothEnds([...words], MAX_OTHER_WORDS)], isInWords: false };
}

function isNameAmongWords(text: string, pieces: number): boolean {
  if (pieces > NAME_PIECES) return false;
  const words = text.replace(PAIRED, " ").replace(ALPHABETIC, " ").match(WORDS) ?? [];
  return words.length > WORDS_PER_SIGN * (pieces + 1);
}

/** A run that is shorter is one piece. */
function windowsOf(run: string, length: number): string[] {
  const letters = [...run];
  if (letters.length <= length) return [run];
  return letters.slice(length - 1).map((_, start) => letters.slice(start, start + length).join(""));
}

/** So many of a list, those in its midst left out. */
export function bothEnds(pieces: string[], most: number): string[] {
  if (pieces.length <= most) return pieces;
  return [...pieces.slice(0, most / 2), ...pieces.slice(-most / 2)];
}

/** How likely the characters beyond ASCII of a text are in a language: what tells encodings of one byte for a character apart. */

/** The logarithm of each letter's share. */
export type Language = ReadonlyMap<string, number>;

/** Of letters with their parts of any whole, as "ä56 ö30". */
export function languageOf(letters: string): Language {
  const counts = letters.split(" ").map((entry): [string, number] => [entry.charAt(0), Number(entry.slice(1))]);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return new Map(counts.map(([letter, count]) => [letter, Math.log(count / total)]));
}

/** Lines are drawn by rows of one character, which in another encoding is a letter. */
export function withoutLines(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return Buffer.from(text.replace(/([\x80-\xff])\1{2,}/g, " "), "latin1");
}

/** How often each character beyond ASCII stands in a text, in lower case; marks apart by whether they stand in a word. */
export interface Reading {
  letters: Map<string, number>;
  marks: number;
  marksInWords: number;
  /** Whether any of the letters is something else in the other reading of the same bytes. */
  isOther: boolean;
}

const LETTER = /[\p{L}\p{M}]/u;
/** Corners and edges of what is drawn, in encodings that have them. */
const DRAWN = /[\u2500-\u25a0]/;
const CONTROL = /[\x80-\x9f]/;

/**
 * What stands for what in a text.
 * @param other the same bytes read otherwise, a character for a character
 */
export function readingOf(text: string, other = text): Reading {
  const reading: Reading = { letters: new Map(), marks: 0, marksInWords: 0, isOther: false };
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) < 0x80) continue;
    const character = text.charAt(index);
    const [isBehind, isBefore] = [isLetter(text, index - 1), isLetter(text, index + 1)];
    if (CONTROL.test(character) || isCapitalInside(text, index)) reading.marksInWords += 1;
    // One that stands alone is a word in some languages, and a mark as well.
    else if (LETTER.test(character) && (isBehind || isBefore)) {
      const letter = character === "İ" ? "ı" : character.toLowerCase();
      reading.letters.set(letter, (reading.letters.get(letter) ?? 0) + 1);
      if (character !== other.charAt(index)) reading.isOther = true;
    } else if (isBehind && isBefore && character !== "’") reading.marksInWords += 1;
    else if (!DRAWN.test(character)) reading.marks += 1;
  }
  return reading;
}

/** Words begin with capitals, or consist of them. */
function isCapitalInside(text: string, index: number): boolean {
  return /\p{Lu}/u.test(text.charAt(index)) && /\p{Ll}/u.test(text.charAt(index - 1));
}

function isLetter(text: string, index: number): boolean {
  return LETTER.test(text.charAt(index));
}

/** The logarithm of how likely a reading is in the language of these that fits best. */
export function bestOf(languages: readonly Language[], { letters, marks, marksInWords }: Reading): number {
  const sums = languages.map((language) => {
    let sum = 0;
    for (const [letter, count] of letters) sum += count * (language.get(letter) ?? OTHER_LETTER);
    return sum;
  });
  return Math.max(...sums) + marks * MARK + marksInWords * MARK_IN_WORD;
}

/** Of a letter that the language does not have: it may be in a name. */
export const OTHER_LETTER = Math.log(0.002);
/** Of quotes, dashes, fractions and the like, among letters that are themselves the rare ones of a text. */
const MARK = Math.log(0.05);
/** Of such between two letters, as where a letter was read as one; and of what no text has. */
const MARK_IN_WORD = Math.log(0.0005);

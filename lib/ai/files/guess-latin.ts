import { decodeBytes } from "@/lib/ai/files/decode-bytes";
import { ALL_WESTERN_LETTERS, FOREIGN_LETTERS, WESTERN_LETTERS } from "@/lib/ai/files/letter-frequencies";

/**
 * Tells texts of Latin letters in other encodings than Windows-1252 apart by their letters beyond ASCII: those of one language
 * must be much more likely than those that the same bytes are in any language of the West.
 * @param bytes that are no UTF-8
 * @returns undefined for a text of the West, and for too few such letters to tell by
 */
export function guessLatin(bytes: Uint8Array): string | undefined {
  const drawn = withoutLines(bytes);
  const westernText = decodeBytes(drawn, "windows-1252");
  const western = bestOf(WESTERN, readingOf(westernText));
  let best: { encoding: string; likelihood: number } | undefined;
  for (const { encoding, languages } of FOREIGN) {
    const text = decodeBytes(drawn, encoding);
    const reading = readingOf(text, westernText);
    if (reading.letters.size < MIN_LETTERS || !reading.isOther) continue;
    const likelihood = bestOf(languages, reading);
    if (likelihood > (best?.likelihood ?? western + MARGIN)) best = { encoding, likelihood };
  }
  return best?.encoding;
}

/**
 * Whether a text with too few letters beyond ASCII to tell by is one of DOS: what nobody writes in Windows-1252, in letters that
 * are common in the West.
 */
export function isPlainDos(bytes: Uint8Array): boolean {
  const drawn = withoutLines(bytes);
  if (!UNWRITTEN.test(decodeBytes(drawn, "windows-1252"))) return false;
  const { letters, marksInWords } = readingOf(decodeBytes(drawn, "cp850"));
  return letters.size > 0 && marksInWords === 0 && [...letters.keys()].every((letter) => COMMON.has(letter));
}

const COMMON = new Set("äöüßéèêàâçñáíóúôîûëïåæø");
/** Characters of no meaning, and marks that stand in no word: where é, ä and the like stand in DOS. */
const UNWRITTEN = /[\x81\x8d\x8f\x90\x9d]|\p{L}[‚„†‡ˆ¡¢£¤¥]\p{L}/u;

/** Lines are drawn by rows of one character, which in another encoding is a letter. */
function withoutLines(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return Buffer.from(text.replace(/([\x80-\xff])\1{2,}/g, " "), "latin1");
}

/** A text of fewer different ones may be one word again and again. */
const MIN_LETTERS = 3;

/** How much more likely. */
const MARGIN = Math.log(300);

/** Of a letter that the language does not have: it may be in a name. */
const OTHER_LETTER = Math.log(0.002);
/** Of quotes, dashes, fractions and the like. */
const MARK = Math.log(0.05);
/** Of such between two letters, as where a letter was read as one; and of what no text has. */
const MARK_IN_WORD = Math.log(0.0005);
/** Of any letter that is in no one language with the others. */
const OF_MANY_LANGUAGES = Math.log(1 / 60);

/** The logarithm of each letter's share. */
type Language = ReadonlyMap<string, number>;

const MIXED: Language = new Map([...ALL_WESTERN_LETTERS].map((letter) => [letter, OF_MANY_LANGUAGES]));
const WESTERN = [...WESTERN_LETTERS.map(parse), MIXED];
const FOREIGN = FOREIGN_LETTERS.flatMap(({ encodings, letters }) =>
  encodings.map((encoding) => ({ encoding, languages: letters.map(parse) })),
);

function parse(letters: string): Language {
  const counts = letters.split(" ").map((entry): [string, number] => [entry.charAt(0), Number(entry.slice(1))]);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return new Map(counts.map(([letter, count]) => [letter, Math.log(count / total)]));
}

/** How often each character beyond ASCII stands in a text, in lower case; marks apart by whether they stand in a word. */
interface Reading {
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

/** @param other the same bytes read otherwise, a character for a character */
function readingOf(text: string, other = text): Reading {
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
function bestOf(languages: readonly Language[], { letters, marks, marksInWords }: Reading): number {
  const sums = languages.map((language) => {
    let sum = 0;
    for (const [letter, count] of letters) sum += count * (language.get(letter) ?? OTHER_LETTER);
    return sum;
  });
  return Math.max(...sums) + marks * MARK + marksInWords * MARK_IN_WORD;
}

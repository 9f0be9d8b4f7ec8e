import { decodeBytes } from "@/lib/ai/files/text/decode-bytes";
import { ALL_WESTERN_LETTERS, FOREIGN_LETTERS, WESTERN_LETTERS } from "@/lib/ai/files/text/letter-frequencies";
import { bestOf, type Language, languageOf, readingOf, withoutLines } from "@/lib/ai/files/text/weigh-letters";

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

/**
 * Whether there are plain letters or digits, among which those beyond ASCII stand in the West, or at least none but common ones.
 * Others alone, as the few bytes are of a file that broke off at once, are letters that nobody wrote.
 */
export function saysSomething(bytes: Uint8Array): boolean {
  const text = decodeBytes(bytes, "windows-1252");
  if (/[A-Za-z0-9]/.test(text)) return true;
  return (text.match(/\p{L}/gu) ?? []).every((letter) => COMMON.has(letter.toLowerCase()));
}

const COMMON = new Set("äöüßéèêàâçñáíóúôîûëïåæø");
/** Characters of no meaning, and marks that stand in no word: where é, ä and the like stand in DOS. */
const UNWRITTEN = /[\x81\x8d\x8f\x90\x9d]|\p{L}[‚„†‡ˆ¡¢£¤¥]\p{L}/u;

/** A text of fewer different ones may be one word again and again. */
const MIN_LETTERS = 3;

/** How much more likely. */
const MARGIN = Math.log(300);

/** Of any letter that is in no one language with the others. */
const OF_MANY_LANGUAGES = Math.log(1 / 60);

const MIXED: Language = new Map([...ALL_WESTERN_LETTERS].map((letter) => [letter, OF_MANY_LANGUAGES]));
const WESTERN = [...WESTERN_LETTERS.map(languageOf), MIXED];
const FOREIGN = FOREIGN_LETTERS.flatMap(({ encodings, letters }) =>
  encodings.map((encoding) => ({ encoding, languages: letters.map(languageOf) })),
);

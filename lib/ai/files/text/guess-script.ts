import {
  ARABIC_LETTERS,
  CYRILLIC_LETTERS,
  GREEK_LETTERS,
  HEBREW_LETTERS,
  THAI_LETTERS,
} from "@/lib/ai/files/text/letter-frequencies";
import {
  bestOf,
  type Language,
  languageOf,
  OTHER_LETTER,
  readingOf,
  withoutLines,
} from "@/lib/ai/files/text/weigh-letters";
import { decodeStrictly, isWritten, type Script, scriptOf } from "@/lib/ai/files/text/written-script";

/**
 * Tells encodings of one byte for a letter of Cyrillic, Greek, Hebrew, Arabic and Thai apart: in the right one, words consist of
 * letters that are common in one of its languages, and have their capitals in front or are shouted. In the others, the same
 * bytes are letters that hardly any text has so many of.
 * @returns undefined where none of them gives such words
 */
export function guessScript(bytes: Uint8Array): string | undefined {
  const sample = withoutLines(bytes.subarray(0, SAMPLE_BYTES));
  let best: { encoding: string; likelihood: number } | undefined;
  for (const { encoding, isRare, script, languages, least } of CANDIDATES) {
    const text = decodeStrictly(sample, encoding);
    const likelihood = text && likelihoodOf(text, script, languages, least);
    if (!likelihood) continue;
    const weighed = isRare ? likelihood + RARE : likelihood;
    if (!best || weighed > best.likelihood) best = { encoding, likelihood: weighed };
  }
  return best?.encoding;
}

/** The logarithm of it; undefined for what has no words of the script, or none that anybody writes. */
function likelihoodOf(text: string, script: Script, languages: readonly Language[], least: number): number | undefined {
  if (!isWritten(text.replace(DRAWN, ""), script)) return undefined;
  const reading = readingOf(text);
  if (reading.letters.size < MIN_LETTERS) return undefined;
  // A table has borders, and few corners.
  reading.marksInWords += (text.match(MISPLACED)?.length ?? 0) + (text.match(CORNERS)?.length ?? 0);
  const letters = [...reading.letters.values()].reduce((sum, count) => sum + count, 0) + reading.marksInWords;
  const ofWords = bestOf(languages, { ...reading, marks: 0 });
  if (ofWords < letters * least) return undefined;
  return ofWords + (reading.marks + (text.match(BORDERS)?.length ?? 0)) * MARK;
}

/** So few different ones are a list of letters, or marks of another encoding. */
const MIN_LETTERS = 4;
/** Its letters tell as much as those of all of a long text. */
const SAMPLE_BYTES = 16 * 1024;
/** Letters that end words, of Greek, Hebrew and Arabic, before others; in Thai, marks on no letter, and vowels before none. */
const MISPLACED =
  /[ςםןךףץةى](?=\p{L})|(?<![\u0e01-\u0e2e\u0e31\u0e34-\u0e3a\u0e47-\u0e4e])[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])/gu;
/** The lines that programs of DOS draw, and KOI8 has too. */
const DRAWN = /[\u2500-\u259f]/g;
const BORDERS = /[│║]/g;
const CORNERS = /(?![│║])[\u2500-\u259f]/g;
/** As a letter that the language does not have: where letters are read as marks, these are most of a text's capitals. */
const MARK = OTHER_LETTER;
/** Hardly anything writes these any more. */
const RARE = Math.log(1 / 4);
/** Texts lie around -3 by letter, most names above this; bytes of what is none of these, as of Chinese, below -4. */
const LEAST_BY_LETTER = -3.5;
/** It has more letters, and marks that tell as much: each stands on one. */
const LEAST_OF_THAI = -4;

const CANDIDATES = [
  {
    script: scriptOf("\\u0400-\\u045f\\u0490\\u0491"),
    letters: CYRILLIC_LETTERS,
    windows: "windows-1251",
    // Of Unix, DOS, older mails and Macs.
    rare: ["koi8-r", "koi8-u", "ibm866", "iso-8859-5", "x-mac-cyrillic"],
  },
  { script: scriptOf("\\u0386-\\u03ce"), letters: GREEK_LETTERS, windows: "windows-1253", rare: ["iso-8859-7"] },
  { script: scriptOf("\\u05d0-\\u05ea"), letters: HEBREW_LETTERS, windows: "windows-1255", rare: [] },
  {
    script: scriptOf("\\u060c-\\u0652\\u067e\\u0686\\u0698\\u06a9\\u06af"),
    letters: ARABIC_LETTERS,
    windows: "windows-1256",
    rare: ["iso-8859-6"],
  },
  {
    script: scriptOf("\\u0e01-\\u0e5b"),
    letters: THAI_LETTERS,
    windows: "windows-874",
    rare: [],
    least: LEAST_OF_THAI,
  },
].flatMap(({ script, letters, windows, rare, least = LEAST_BY_LETTER }) => {
  const languages = letters.map(languageOf);
  return [windows, ...rare].map((encoding) => ({ encoding, isRare: encoding !== windows, script, languages, least }));
});

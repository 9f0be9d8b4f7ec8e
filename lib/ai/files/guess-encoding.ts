/**
 * Tells encodings from before Unicode apart by what the bytes would say in each: the text of one must consist of words of its
 * script. For texts of which nobody states the encoding and which are no UTF-8; a beginning may end inside a character.
 * @returns undefined for too little to tell by, and for what none of them explains
 */
export function guessEncoding(bytes: Uint8Array): string | undefined {
  return CANDIDATES.find(({ encoding, isLikely }) => {
    const text = decodeStrictly(bytes, encoding);
    return text !== undefined && isLikely(text, bytes);
  })?.encoding;
}

/**
 * Whether the letters beyond ASCII stand among others, as accents do. Words of nothing but such letters are another script's,
 * which in Windows-1252 would read as something that nobody wrote.
 */
export function isWestern(bytes: Uint8Array): boolean {
  let accents = 0;
  let foreignWords = 0;
  let foreignBytes = 0;
  for (const [run] of latin1(bytes).matchAll(/[A-Za-z]?[\x80-\xff]+[A-Za-z]?/g)) {
    if (/[A-Za-z]/.test(run)) accents += 1;
    // A line is drawn by many of one character.
    else if (run.length > 2 && new Set(run).size > 1) {
      foreignWords += 1;
      foreignBytes += run.length;
    }
  }
  return foreignWords <= accents || foreignBytes < MIN_CHARACTERS;
}

interface Candidate {
  encoding: string;
  isLikely(text: string, bytes: Uint8Array): boolean;
}

const KANA = "\\u3041-\\u30ff";
const HANGUL = "\\uac00-\\ud7a3";
const IDEOGRAPHS = "\\u4e00-\\u9fff";
/** Stops, brackets and wide digits, which all of them share. */
const MARKS = "\\u2010-\\u22ff\\u2460-\\u27ff\\u3000-\\u303f\\uff01-\\uff5e\\xa7-\\xf7";
const JAPANESE = scriptOf(KANA + IDEOGRAPHS);
const KOREAN = scriptOf(HANGUL);
const CHINESE = scriptOf(IDEOGRAPHS);
const GREEK = scriptOf("\\u0386-\\u03ce");
const HEBREW = scriptOf("\\u05d0-\\u05ea");
const ARABIC = scriptOf("\\u060c-\\u0652\\u067e\\u0686\\u0698\\u06a9\\u06af");
const CYRILLIC = scriptOf("\\u0400-\\u045f\\u0490\\u0491");

/** In this order: what comes later allows more. */
const CANDIDATES: readonly Candidate[] = [
  { encoding: "shift_jis", isLikely: (text) => isWritten(text, JAPANESE) },
  { encoding: "euc-jp", isLikely: (text) => isWritten(text, JAPANESE) && shareOf(text, `[${KANA}]`) > 0.2 },
  { encoding: "windows-1251", isLikely: isCyrillic },
  // The same bytes have the other case in the two.
  { encoding: "koi8-r", isLikely: isLowerCyrillic },
  { encoding: "euc-kr", isLikely: (text) => isWritten(text, KOREAN) },
  { encoding: "gb18030", isLikely: (text, bytes) => isWritten(text, CHINESE) && isCommon(bytes, COMMON_GB) },
  { encoding: "windows-1253", isLikely: isGreek },
  { encoding: "windows-1255", isLikely: isHebrew },
  { encoding: "windows-1256", isLikely: isArabic },
  { encoding: "big5", isLikely: (text, bytes) => isWritten(text, CHINESE) && isCommon(bytes, COMMON_BIG5) },
  // Of DOS, with the lines that its programs draw, and of older mails.
  { encoding: "ibm866", isLikely: (text) => isLowerCyrillic(text.replace(/[\u2500-\u259f]/g, "")) },
  { encoding: "iso-8859-5", isLikely: isLowerCyrillic },
];

interface Script {
  letters: RegExp;
  words: RegExp;
}

function scriptOf(letters: string): Script {
  return { letters: new RegExp(`[${letters}${MARKS}]`, "g"), words: new RegExp(`[${letters}${MARKS}]{2,}`, "g") };
}

/** Fewer characters than this could be anything. */
const MIN_CHARACTERS = 6;

function isWritten(text: string, { letters, words }: Script): boolean {
  const foreign = text.replace(/[\0-\x7f]/g, "").length;
  const known = text.match(letters)?.length ?? 0;
  const inWords = text.match(words)?.join("").length ?? 0;
  return foreign >= MIN_CHARACTERS && known > foreign * 0.95 && inWords > foreign * 0.6;
}

function shareOf(text: string, pattern: string): number {
  const foreign = text.replace(/[\0-\x7f]/g, "").length;
  return (text.match(new RegExp(pattern, "g"))?.length ?? 0) / Math.max(1, foreign);
}

/** By how often letters stand in texts of Cyrillic languages: bytes of Greek and Hebrew would be such letters too. */
function isCyrillic(text: string): boolean {
  return isWritten(text, CYRILLIC) && shareOf(text, "[оеаинтОЕАИНТ]") > 0.35 && shareOf(text, "[щъфэЩЪФЭ]") < 0.08;
}

function isLowerCyrillic(text: string): boolean {
  return isCyrillic(text) && shareOf(text, "[а-яё]") > 0.5;
}

/** Also by the one letter that stands at the end of words and nowhere else. */
function isGreek(text: string): boolean {
  const isCommon = shareOf(text, "[αεηιοντσςΑΕΗΙΟΝΤΣ]") > 0.45;
  return isWritten(text, GREEK) && isCommon && isAtEnds(text, "ς", "\u0386-\u03ce");
}

/** Also by the letters that stand at the end of words and nowhere else. */
function isHebrew(text: string): boolean {
  return isWritten(text, HEBREW) && shareOf(text, "[אהוילמתרב]") > 0.45 && isAtEnds(text, "םןךףץ", "\u05d0-\u05ea");
}

/** Also by how its words begin and end. */
function isArabic(text: string): boolean {
  const isCommon = shareOf(text, "[اليومنرتبة]") > 0.5;
  return isWritten(text, ARABIC) && isCommon && isAtEnds(text, "ةى", "\u0621-\u064a");
}

/** Whether letters that end a word do so, all but a few misspelt ones. */
function isAtEnds(text: string, finals: string, letters: string): boolean {
  const all = text.match(new RegExp(`[${finals}]`, "g"))?.length ?? 0;
  const inside = text.match(new RegExp(`[${finals}](?=[${letters}])`, "g"))?.length ?? 0;
  return all > 0 && inside <= all * 0.05;
}

/** First and second bytes of the characters that make up nearly all of a text. */
const COMMON_GB = /^[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]/;
const COMMON_BIG5 = /^[\xa1-\xc6]/;

function isCommon(bytes: Uint8Array, common: RegExp): boolean {
  const pairs = latin1(bytes).match(/[\x81-\xfe][\x40-\xfe]/g) ?? [];
  return pairs.filter((pair) => common.test(pair)).length > pairs.length * 0.75;
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

import { guessScript } from "@/lib/ai/files/text/guess-script";
import { decodeStrictly, isWritten, MIN_CHARACTERS, scriptOf, shareOf } from "@/lib/ai/files/text/written-script";

/**
 * Tells encodings from before Unicode apart by what the bytes would say in each: the text of one must consist of words of its
 * script. For texts of which nobody states the encoding and which are no UTF-8; a beginning may end inside a character.
 * @returns undefined for too little to tell by, and for what none of them explains
 */
export function guessEncoding(bytes: Uint8Array): string | undefined {
  for (const guess of GUESSES) {
    const encoding = guess(bytes);
    if (encoding) return encoding;
  }
  return undefined;
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

type Guess = (bytes: Uint8Array) => string | undefined;

function likely(encoding: string, isLikely: (text: string, bytes: Uint8Array) => boolean): Guess {
  return (bytes) => {
    const text = decodeStrictly(bytes, encoding);
    return text !== undefined && isLikely(text, bytes) ? encoding : undefined;
  };
}

const KANA = "\\u3041-\\u30ff";
const HANGUL = "\\uac00-\\ud7a3";
const IDEOGRAPHS = "\\u4e00-\\u9fff";
const JAPANESE = scriptOf(KANA + IDEOGRAPHS);
const KOREAN = scriptOf(HANGUL);
const CHINESE = scriptOf(IDEOGRAPHS);

/** In this order: what comes later allows more. */
const GUESSES: readonly Guess[] = [
  likely("shift_jis", (text) => isWritten(text, JAPANESE)),
  likely("euc-jp", (text) => isWritten(text, JAPANESE) && shareOf(text, `[${KANA}]`) > 0.2),
  likely("euc-kr", (text) => isWritten(text, KOREAN)),
  guessScript,
  likely("gb18030", (text, bytes) => isWritten(text, CHINESE) && isCommon(bytes, COMMON_GB)),
  likely("big5", (text, bytes) => isWritten(text, CHINESE) && isCommon(bytes, COMMON_BIG5)),
];

/** First and second bytes of the characters that make up nearly all of a text. */
const COMMON_GB = /^[\xa1-\xa3\xb0-\xd7][\xa1-\xfe]/;
const COMMON_BIG5 = /^[\xa1-\xc6]/;

function isCommon(bytes: Uint8Array, common: RegExp): boolean {
  const pairs = latin1(bytes).match(/[\x81-\xfe][\x40-\xfe]/g) ?? [];
  return pairs.filter((pair) => common.test(pair)).length > pairs.length * 0.75;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** Whether a text that bytes may stand for consists of words of a script. */

/** Letters of a script, and words of them. */
export interface Script {
  letters: RegExp;
  words: RegExp;
}

/** @param letters as in a class of a regular expression */
export function scriptOf(letters: string): Script {
  return { letters: new RegExp(`[${letters}${MARKS}]`, "g"), words: new RegExp(`[${letters}${MARKS}]{2,}`, "g") };
}

/** Stops, brackets and wide digits, which all of them share. */
const MARKS = "\\u2010-\\u22ff\\u2460-\\u27ff\\u3000-\\u303f\\uff01-\\uff5e\\xa7-\\xf7";

/** Fewer characters than this could be anything. */
export const MIN_CHARACTERS = 6;

/** Whether nearly all characters beyond ASCII are letters of a script, most of them in words. */
export function isWritten(text: string, { letters, words }: Script): boolean {
  const foreign = text.replace(/[\0-\x7f]/g, "").length;
  const known = text.match(letters)?.length ?? 0;
  const inWords = text.match(words)?.join("").length ?? 0;
  return foreign >= MIN_CHARACTERS && known > foreign * 0.95 && inWords > foreign * 0.6;
}

/** How much of the characters beyond ASCII a pattern takes. */
export function shareOf(text: string, pattern: string): number {
  const foreign = text.replace(/[\0-\x7f]/g, "").length;
  return (text.match(new RegExp(pattern, "g"))?.length ?? 0) / Math.max(1, foreign);
}

/** The text of bytes, of which the last character may be cut; undefined where some stand for nothing in the encoding. */
export function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

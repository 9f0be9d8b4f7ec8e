const MAX_WORDS = 10;
/** A phrase in quotation marks, as keyboards and text programs make them, or a word. */
const PARTS = /["“”„«»]([^"“”„«»]+)["“”„«»]|[^\s"“”„«»]+/gu;

/** What a search asks for (NFC): each word by itself, in any order; what stands in quotation marks as it is. Ten at most. */
export function readSearchWords(text: string): string[] {
  const words = [...text.normalize("NFC").matchAll(PARTS)]
    .map(([whole, phrase]) => (phrase ?? whole).trim())
    .filter(Boolean);
  return [...new Set(words)].slice(0, MAX_WORDS);
}

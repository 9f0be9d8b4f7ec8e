/** A UUID, or what may be one of our own ids. */
const ID = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]{3}_[0-9a-z]{26})\b/g;
/** An answer of ours that was copied as a whole. */
const MOST_CHARACTERS = 2_000;
const MOST_IDS = 5;

/**
 * What may be ids in a text that was copied: whatever stands around them, such as quotes, a full stop, the address or the answer
 * that they are part of. In small letters, each once, the first few.
 */
export function idsIn(text: string): string[] {
  const ids = text.slice(0, MOST_CHARACTERS).toLowerCase().match(ID);
  return [...new Set(ids)].slice(0, MOST_IDS);
}

/**
 * The beginning of a text. Never half of a surrogate pair, which many readers of JSON refuse, with all that it stands in, and
 * Postgres' JSON too.
 * @param maxCharacters in UTF-16 units
 */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, "");
}

/** A client's text for a pattern of LIKE: each of its characters stands for itself. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** What the service wants of every name (`parseKnowledgePath`). */
export const KNOWLEDGE_ENDING = ".md";

/** Such as that of "prices.html", not that of "prices 1.2". */
const OTHER_ENDING = /\.[a-z][a-z0-9]*$/i;

/**
 * A name as it was meant: "prices" gets the ending that all have. One with another ending is left as it is, and refused; one
 * that ends with a folder names no file yet.
 */
export function withEnding(typed: string): string {
  const name = typed.trim();
  return name === "" || name.endsWith("/") || OTHER_ENDING.test(name) ? name : `${name}${KNOWLEDGE_ENDING}`;
}

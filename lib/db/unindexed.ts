/**
 * A text column as no index has it, for a condition beside a key. While a table is empty, or not yet analyzed, any index looks as
 * good to the planner as the key, and a plan made then reads all rows of a project to find one.
 */
export function unindexed(column: string): string {
  return `(${column} || '')`;
}

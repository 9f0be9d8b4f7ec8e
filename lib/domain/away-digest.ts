/**
 * Of a page's error a browser is told nothing in production but its digest: this one says that the database was away. What follows
 * the mark finds the error in the server's log.
 */
const MARK = "DATABASE_AWAY-";

export function awayDigest(reference: string): string {
  return MARK + reference;
}

/** Whether the page broke because the service could not reach its database. */
export function isAwayDigest(digest: string | undefined): boolean {
  return digest?.startsWith(MARK) ?? false;
}

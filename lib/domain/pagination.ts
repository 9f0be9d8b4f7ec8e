/** What a list answers beside its items (contract §2, lists). */
export interface Pagination {
  limit: number;
  offset: number;
  /** All items that the filters let through. */
  total: number;
  hasMore: boolean;
}

/** One page of a list. */
export interface Page<T> {
  data: T[];
  pagination: Pagination;
}

/** Which part of a list is asked for. */
export interface PageRequest {
  limit: number;
  offset: number;
}

/**
 * Reads one page of a list and counts all of it, at once. The two see the list at different moments when somebody writes to it,
 * so the page has the last word: it is read with one item more than asked for, which alone says whether there is more. A client
 * that goes on while `hasMore` then misses nothing that was there when it began.
 */
export async function readPage<T>(
  { limit, offset }: PageRequest,
  read: (part: PageRequest) => Promise<T[]>,
  count: () => Promise<number>,
): Promise<Page<T>> {
  const [found, counted] = await Promise.all([read({ limit: limit + 1, offset }), count()]);
  const total = totalBeside(found.length, counted, { limit, offset });
  return { data: found.slice(0, limit), pagination: { limit, offset, total, hasMore: found.length > limit } };
}

/** What was counted, within what the page shows. */
function totalBeside(found: number, counted: number, { limit, offset }: PageRequest): number {
  if (found > limit) return Math.max(counted, offset + found);
  if (found === 0) return Math.min(counted, offset);
  return offset + found;
}

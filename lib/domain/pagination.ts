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

/** Puts the items of a page and the count of all together. */
export function makePage<T>(data: T[], total: number, { limit, offset }: PageRequest): Page<T> {
  return { data, pagination: { limit, offset, total, hasMore: offset + data.length < total } };
}

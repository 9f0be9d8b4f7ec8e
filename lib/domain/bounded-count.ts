/** A count that stops at a bound, so that counting a long list costs no more than counting a short one. */
export interface BoundedCount {
  count: number;
  /** There are more: "10,000+". */
  hasMore: boolean;
}

export const MAX_COUNTED = 10_000;

/** @param found of a query that was cut at `MAX_COUNTED` + 1 */
export function boundedCount(found: number): BoundedCount {
  return { count: Math.min(found, MAX_COUNTED), hasMore: found > MAX_COUNTED };
}

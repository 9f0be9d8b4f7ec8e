/** A part of a list as the server drew it, newest first. */
export interface DrawnPart<Row> {
  rows: Row[];
  /** Where the next part begins; null: this one is the last. */
  nextCursor: string | null;
}

/** A list as its reader sees it: rows that came since wait until they are asked for. */
export interface KeptPart<Row> extends DrawnPart<Row> {
  newCount: number;
  /** Whether more may have come than the server drew. */
  isMore: boolean;
}

/** A list that is looked at for the first time, or whose new rows were asked for. */
export function takeAll<Row>(drawn: DrawnPart<Row>): KeptPart<Row> {
  return { ...drawn, newCount: 0, isMore: false };
}

/**
 * The rows that are shown, each in its place and in its newest state. What was deleted goes; what the new ones pushed off the
 * drawn part's end stays as it was last known. An empty list has no places to keep.
 */
export function keepPlaces<Row extends { id: string }>(shown: DrawnPart<Row>, drawn: DrawnPart<Row>): KeptPart<Row> {
  const now = new Map(drawn.rows.map((row) => [row.id, row]));
  const known = new Set(shown.rows.map(({ id }) => id));
  const lastDrawn = shown.rows.findLastIndex(({ id }) => now.has(id));
  const rows = shown.rows.flatMap((row, index) => {
    const isPushedOff = index > lastDrawn && drawn.nextCursor !== null;
    return now.get(row.id) ?? (isPushedOff ? row : []);
  });
  if (rows.length === 0) return takeAll(drawn);
  const lastKnown = drawn.rows.findLastIndex(({ id }) => known.has(id));
  // Behind the last one that is known stand rows of the next part, where there is one.
  const isReached = lastKnown >= 0 && shown.nextCursor !== null;
  const above = isReached ? drawn.rows.slice(0, lastKnown) : drawn.rows;
  return {
    rows,
    nextCursor: shown.nextCursor,
    newCount: above.filter(({ id }) => !known.has(id)).length,
    isMore: lastKnown < 0 && drawn.nextCursor !== null,
  };
}

import type { LoggedCall } from "@/lib/contracts/call-log";

/** What the tail has brought to a list. */
export interface LiveRows {
  /** Shown above what the server drew. */
  shown: LoggedCall[];
  /** Came while the reader was busy with the rows: wait until they are asked for. */
  held: LoggedCall[];
  /** Of the rows that came last, to be marked. */
  newIds: ReadonlySet<string>;
}

export const NO_LIVE_ROWS: LiveRows = { shown: [], held: [], newIds: new Set() };

/** So many rows of a page that stays open for days. */
const MAX_ROWS = 300;

/** Takes in what came, or keeps it back so that no row moves under the reader. */
export function takeIn(rows: LiveRows, calls: LoggedCall[], isHolding: boolean): LiveRows {
  if (isHolding) return { ...rows, held: [...rows.held, ...calls].slice(-MAX_ROWS) };
  const arrived = [...rows.held, ...calls];
  return {
    shown: [...rows.shown, ...arrived].slice(-MAX_ROWS),
    held: [],
    newIds: new Set(arrived.map(({ id }) => id)),
  };
}

/**
 * The rows of the server and of the tail as one list, newest first; the server knows a call that both have better. What it
 * draws later brings no row: new ones come by the tail, which asks whether they may.
 */
export function mergeCalls(
  first: readonly LoggedCall[],
  drawn: readonly LoggedCall[],
  { shown, held }: LiveRows,
): LoggedCall[] {
  const heldIds = new Set(held.map(({ id }) => id));
  const byId = new Map([...shown, ...first].map((call) => [call.id, call]));
  for (const call of drawn) if (byId.has(call.id)) byId.set(call.id, call);
  return [...byId.values()]
    .filter(({ id }) => !heldIds.has(id))
    .sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

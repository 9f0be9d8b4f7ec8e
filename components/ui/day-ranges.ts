/** Days as `YYYY-MM-DD`, both included. One that goes on has no last day: lists of it stay live. */
export interface DayRange {
  name: string;
  from: string;
  to: string | null;
}

const DAY_MS = 86_400_000;

/**
 * The ranges that people ask for most, the shortest first: for a look at what goes on, and for the books.
 * @param today YYYY-MM-DD, in the zone whose days are asked for
 */
export function dayRanges(today: string): DayRange[] {
  const now = new Date(`${today}T00:00:00.000Z`);
  const back = (days: number) => dayOf(now.getTime() - days * DAY_MS);
  // Day 0 of a month is the last one of the month before.
  const inMonth = (month: number, day: number) => dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, day));
  return [
    { name: "Today", from: back(0), to: null },
    { name: "Yesterday", from: back(1), to: back(1) },
    { name: "Last 7 days", from: back(6), to: null },
    { name: "Last 30 days", from: back(29), to: null },
    { name: "This month", from: inMonth(0, 1), to: null },
    { name: "Last month", from: inMonth(-1, 1), to: inMonth(0, 0) },
  ];
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

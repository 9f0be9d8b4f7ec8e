const LOCALE = "en-GB";

/** What is written of a time; each is a formatter of its own. */
const PARTS = {
  day: { day: "numeric", month: "short", year: "numeric" },
  dayOfYear: { day: "numeric", month: "short" },
  month: { month: "long", year: "numeric" },
  clock: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  minutes: { hour: "2-digit", minute: "2-digit" },
  year: { year: "numeric" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** Making one costs seventy times what it is used for, and a page of a list writes some hundred times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Up to here a deadline counts hours: "in 1 day" would take up to a day off what is left. */
const DEADLINE_HOURS_MS = 3 * DAY_MS;
/** Beyond this a date says more than a count of days. */
const RELATIVE_DAYS = 7;
const CLOCK_TOLERANCE_MS = 15 * SECOND_MS;

/**
 * How long ago, or how long until: "just now", "5 min ago", "in 3 h", "2 days ago"; a date from a week on.
 * @param at and nowMs since the epoch
 * @param timeZone of the date; absent: the reader's own
 */
export function formatRelative(at: Date, nowMs: number, timeZone?: string): string {
  // What was made a moment ago is ahead of a clock that ticks every ten seconds.
  const isAhead = at.getTime() > nowMs && at.getTime() - nowMs < CLOCK_TOLERANCE_MS;
  return isAhead ? "just now" : distanceWords(at, nowMs, DAY_MS, timeZone);
}

/**
 * The same for a deadline, with hours up to three days: "in 47 h", "30 h ago".
 * @param at and nowMs since the epoch
 * @param timeZone of the date; absent: the reader's own
 */
export function formatDeadline(at: Date, nowMs: number, timeZone?: string): string {
  return distanceWords(at, nowMs, DEADLINE_HOURS_MS, timeZone);
}

/** @param daysFromMs the distance from which on days are counted rather than hours */
function distanceWords(at: Date, nowMs: number, daysFromMs: number, timeZone: string | undefined): string {
  const distance = Math.abs(nowMs - at.getTime());
  const isPast = at.getTime() <= nowMs;
  if (distance < 10 * SECOND_MS) return isPast ? "just now" : "now";
  if (isDated(at, nowMs)) return formatDay(at, timeZone);
  const words = spanWords(distance, daysFromMs);
  return isPast ? `${words} ago` : `in ${words}`;
}

/**
 * As `formatRelative`, with the time of day beside a date, for lists of what happened: "13 Nov, 12:58"; of another year
 * "13 Nov 2025, 12:58".
 */
export function formatMoment(at: Date, nowMs: number, timeZone?: string): string {
  if (!isDated(at, nowMs)) return formatRelative(at, nowMs, timeZone);
  const isThisYear = write("year", at, timeZone) === write("year", new Date(nowMs), timeZone);
  return `${write(isThisYear ? "dayOfYear" : "day", at, timeZone)}, ${write("minutes", at, timeZone)}`;
}

/** Whether a time is so far that its date is written. */
export function isDated(at: Date, nowMs: number): boolean {
  return Math.abs(nowMs - at.getTime()) >= RELATIVE_DAYS * DAY_MS;
}

/** "20 Nov 2026" */
export function formatDay(at: Date, timeZone?: string): string {
  return write("day", at, timeZone);
}

/**
 * "November 2026"
 * @param month YYYY-MM
 */
export function formatMonth(month: string): string {
  return write("month", new Date(`${month}-01`), "UTC");
}

/** "20 Nov 2026, 12:58:45", in the reader's own zone unless one is named. */
export function formatExact(at: Date, timeZone?: string): string {
  return `${formatDay(at, timeZone)}, ${formatClock(at, timeZone)}`;
}

/** "12:58:45" */
export function formatClock(at: Date, timeZone?: string): string {
  return write("clock", at, timeZone);
}

/** "20 Nov" for a day, "20 Nov, 14:00" for an hour; UTC, as usage is counted (contract §7). `YYYY-MM-DD`, or ISO 8601. */
export function formatPoint(at: string): string {
  const date = new Date(at);
  const day = write("dayOfYear", date, "UTC");
  return at.includes("T") ? `${day}, ${write("minutes", date, "UTC")}` : day;
}

/** What stands on hover: the reader's time and the service's. */
export function formatBoth(at: Date): string {
  return `${formatExact(at)} local time\n${formatExact(at, "UTC")} UTC`;
}

function write(parts: keyof typeof PARTS, at: Date, timeZone: string | undefined): string {
  // A day that cannot be one is written like any other; `format` would throw.
  if (Number.isNaN(at.getTime())) return "Invalid Date";
  const name = `${parts} ${timeZone ?? ""}`;
  let formatter = formatters.get(name);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(LOCALE, { ...PARTS[parts], timeZone });
    formatters.set(name, formatter);
  }
  return formatter.format(at);
}

function spanWords(distanceMs: number, daysFromMs: number): string {
  if (distanceMs < MINUTE_MS) return `${Math.floor(distanceMs / SECOND_MS)} s`;
  if (distanceMs < HOUR_MS) return `${Math.floor(distanceMs / MINUTE_MS)} min`;
  if (distanceMs < daysFromMs) return `${Math.floor(distanceMs / HOUR_MS)} h`;
  const days = Math.floor(distanceMs / DAY_MS);
  return days === 1 ? "1 day" : `${days} days`;
}

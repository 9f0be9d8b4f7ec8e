import { invalidField } from "@/lib/domain/errors";

/** Days as usage counts them: calendar days in UTC, written YYYY-MM-DD (contract §7). */

export const DEFAULT_USAGE_DAYS = 30;
export const MAX_USAGE_DAYS = 366;
export const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

const DAY_MS = 86_400_000;
const FIRST_DATE = "2000-01-01";

/** First and last day; both count. */
export interface DayPeriod {
  from: string;
  to: string;
}

/** Whether a text names a day that exists, from the year 2000 on. */
export function isDate(text: string): boolean {
  if (!DATE_PATTERN.test(text) || text < FIRST_DATE) return false;
  const at = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at) && dateOf(new Date(at)) === text;
}

/** The day (UTC) of a moment. */
export function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The day so many days later; earlier when negative. Behind 9999-12-31 no day is written so. */
export function addDays(date: string, days: number): string {
  return dateOf(new Date(Date.parse(`${date}T00:00:00.000Z`) + days * DAY_MS));
}

/**
 * The days that are asked for; the last 30 up to today where nothing is said.
 * @throws AppError VALIDATION_FAILED when they are too many or end before they begin
 */
export function usagePeriod({ from, to }: Partial<DayPeriod>, now: Date): DayPeriod {
  const end = to ?? dateOf(now);
  const start = from ?? addDays(end, 1 - DEFAULT_USAGE_DAYS);
  if (start > end) {
    throw invalidField("from", to === undefined ? "must not be after today" : "must not be after to");
  }
  if (start < addDays(end, 1 - MAX_USAGE_DAYS)) {
    throw invalidField(
      "from",
      `must be at most ${MAX_USAGE_DAYS - 1} days before ${to === undefined ? "today" : "to"}`,
    );
  }
  return { from: start, to: end };
}

/** Every day of a period, the first one first. */
export function daysOf({ from, to }: DayPeriod): string[] {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: days }, (_, index) => addDays(from, index));
}

/** The calendar month (UTC) of a moment: the plan's period; its end is the first moment of the next. */
export function monthOf(now: Date): { start: Date; end: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month, 1)), end: new Date(Date.UTC(year, month + 1, 1)) };
}

/** Every calendar month (UTC, YYYY-MM) that a period touches, the newest first. */
export function monthsOf({ from, to }: DayPeriod): string[] {
  const months: string[] = [];
  const first = monthNumber(from);
  for (let number = monthNumber(to); number >= first; number--) {
    months.push(`${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, "0")}`);
  }
  return months;
}

function monthNumber(date: string): number {
  const [year, month] = date.split("-").map(Number) as [number, number];
  return year * 12 + month - 1;
}

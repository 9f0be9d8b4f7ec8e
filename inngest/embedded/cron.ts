/** Five-field cron expressions (minute hour day month weekday) in UTC. */
export interface Cron {
  minutes: Set<number>;
  hours: Set<number>;
  days: Set<number>;
  months: Set<number>;
  weekdays: Set<number>;
  /** Both day and weekday restricted: a day that fits either counts. */
  isEitherDay: boolean;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const DAY_MS = 86_400_000;
/** Leap days come every eight years at worst (around 2100). */
const SEARCH_DAYS = 366 * 8 + 2;

/**
 * Reads an expression: `*`, numbers, ranges, steps, lists, English month and weekday names.
 * @throws Error that says which part is wrong; time zones and a seconds field are refused.
 */
export function parseCron(expression: string): Cron {
  const fields = expression.trim().split(/\s+/);
  const [minute, hour, day, month, weekday] = fields;
  if (fields.length !== 5 || !minute || !hour || !day || !month || !weekday) {
    throw new Error(`cron "${expression}" must have five fields; time zones and seconds are not supported`);
  }
  const weekdays = parseField(weekday, 0, 7, expression, WEEKDAYS);
  if (weekdays.delete(7)) weekdays.add(0);
  return {
    minutes: parseField(minute, 0, 59, expression),
    hours: parseField(hour, 0, 23, expression),
    days: parseField(day, 1, 31, expression),
    months: parseField(month, 1, 12, expression, MONTHS, 1),
    weekdays,
    isEitherDay: !day.startsWith("*") && !weekday.startsWith("*"),
  };
}

/**
 * The first tick after a time.
 * @throws Error when the expression names no day that exists (31 February).
 */
export function nextTick(cron: Cron, after: Date): Date {
  const midnight = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate());
  const hours = [...cron.hours].sort((a, b) => a - b);
  const minutes = [...cron.minutes].sort((a, b) => a - b);
  for (let offset = 0; offset < SEARCH_DAYS; offset++) {
    const day = midnight + offset * DAY_MS;
    if (!isDayOf(cron, new Date(day))) continue;
    for (const hour of hours) {
      for (const minute of minutes) {
        const tick = day + (hour * 60 + minute) * 60_000;
        if (tick > after.getTime()) return new Date(tick);
      }
    }
  }
  throw new Error("cron names no day that exists");
}

function isDayOf(cron: Cron, date: Date): boolean {
  if (!cron.months.has(date.getUTCMonth() + 1)) return false;
  const isDay = cron.days.has(date.getUTCDate());
  const isWeekday = cron.weekdays.has(date.getUTCDay());
  return cron.isEitherDay ? isDay || isWeekday : isDay && isWeekday;
}

function parseField(
  field: string,
  min: number,
  max: number,
  expression: string,
  names: string[] = [],
  firstName = 0,
): Set<number> {
  const values = new Set<number>();
  const toNumber = (text: string) => {
    const named = names.indexOf(text.toLowerCase());
    const value = named >= 0 ? named + firstName : /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new Error(`cron "${expression}": "${text}" is not between ${min} and ${max}`);
    return value;
  };
  for (const part of field.split(",")) {
    const [range = "", step, ...rest] = part.split("/");
    const [from = "", to, ...more] = range.split("-");
    const every = step === undefined ? 1 : Number(step);
    if (rest.length || more.length || !Number.isInteger(every) || every < 1)
      throw new Error(`cron "${expression}": "${part}" is not understood`);
    const first = range === "*" ? min : toNumber(from);
    const last = range === "*" ? max : to !== undefined ? toNumber(to) : step !== undefined ? max : first;
    if (last < first) throw new Error(`cron "${expression}": "${part}" runs backwards`);
    for (let value = first; value <= last; value += every) values.add(value);
  }
  return values;
}

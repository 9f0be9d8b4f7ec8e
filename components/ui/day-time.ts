/** A day of the reader's, or a moment of it to the minute, as the fields of a filter have it. */
export interface DayTime {
  /** YYYY-MM-DD */
  day: string;
  /** HH:MM; empty: the whole day. */
  time: string;
}

/** Which end of a span it is: one that begins or ends at midnight has whole days, the last of them in it. */
export type SpanEnd = "from" | "to";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MIDNIGHT = "T00:00:00.000Z";

/**
 * What stands in an address, as its reader says it: days of UTC (`2026-11-24`, a last one counts whole) or moments
 * (`2026-11-24T14:30:00.000Z`). Of what is neither there is nothing to be shown in fields.
 * @param zone the reader's: "Europe/Berlin"
 */
export function readDayTime(text: string | undefined, end: SpanEnd, zone: string): DayTime {
  const at = momentOf(text ?? "", end);
  if (at === null) return { day: "", time: "" };
  const { day, time } = inZone(at, zone);
  const dayBefore = inZone(new Date(at.getTime() - 1), zone).day;
  // Where a day begins is not always midnight: some zones put their clocks on by an hour just then.
  if (day === dayBefore) return { day, time };
  return { day: end === "from" ? day : dayBefore, time: "" };
}

/**
 * The same for an address, always UTC; as days where the moment parts two of them. Null when no day is named: a time alone is
 * of no day. For browsers, whose own zone it goes by.
 */
export function writeDayTime({ day, time }: DayTime, end: SpanEnd): string | null {
  if (day === "") return null;
  const at = new Date(`${day}T${time || "00:00"}`);
  if (time === "" && end === "to") {
    at.setDate(at.getDate() + 1);
    // A day that begins at one has no midnight to count from.
    at.setHours(0, 0, 0, 0);
  }
  // The list says what is wrong with it.
  if (Number.isNaN(at.getTime())) return day;
  const iso = at.toISOString();
  if (!iso.endsWith(MIDNIGHT)) return iso;
  return end === "from" ? iso.slice(0, -MIDNIGHT.length) : dayOf(at.getTime() - DAY_MS);
}

/** "2026-11-24 14:30"; what is neither a day nor a moment stays as it is. */
export function dayTimeWords(text: string, end: SpanEnd, zone: string): string {
  const { day, time } = readDayTime(text, end, zone);
  return day === "" ? text : `${day} ${time}`.trimEnd();
}

/**
 * How far a zone's clocks are from UTC at a moment that an address names: "UTC+1", "UTC-5", "UTC". Reckoned here: what `Intl` calls
 * a zone is another name in each browser and on the server.
 */
export function zoneWords(text: string, zone: string): string {
  const at = momentOf(text, "from") ?? new Date();
  const shown = Date.parse(`${clockIn(at, zone).replace(" ", "T")}.000Z`);
  const minutes = Math.round((shown - at.getTime()) / MINUTE_MS);
  if (minutes === 0) return "UTC";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}

function momentOf(text: string, end: SpanEnd): Date | null {
  const isDay = DAY.test(text);
  if (!isDay && !text.includes("T")) return null;
  const at = new Date(isDay ? text + MIDNIGHT : text);
  if (Number.isNaN(at.getTime())) return null;
  return isDay && end === "to" ? new Date(at.getTime() + DAY_MS) : at;
}

function inZone(at: Date, zone: string): DayTime {
  const [day = "", time = ""] = clockIn(at, zone).split(" ");
  return { day, time: time.slice(0, 5) };
}

/** "2026-11-24 14:30:00", as Swedes write it. */
function clockIn(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(at);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

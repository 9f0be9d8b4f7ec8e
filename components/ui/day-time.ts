/** A day of UTC, or a moment of it to the minute, as the address of a list has it: `2026-11-24`, `2026-11-24T14:30:00.000Z`. */
export interface DayTime {
  /** YYYY-MM-DD */
  day: string;
  /** HH:MM; empty: the whole day. */
  time: string;
}

/** What stands in an address. Of what is neither a day nor a moment there is nothing to be shown in fields. */
export function readDayTime(text = ""): DayTime {
  if (!text.includes("T")) return { day: text, time: "" };
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return { day: "", time: "" };
  const iso = at.toISOString();
  return { day: iso.slice(0, 10), time: iso.slice(11, 16) };
}

/** The same for an address; null when no day is named: a time alone is of no day. */
export function writeDayTime({ day, time }: DayTime): string | null {
  if (day === "") return null;
  return time === "" ? day : `${day}T${time}:00.000Z`;
}

/** "2026-11-24 14:30"; what is neither a day nor a moment stays as it is. */
export function dayTimeWords(text: string): string {
  const { day, time } = readDayTime(text);
  return day === "" ? text : `${day} ${time}`.trimEnd();
}

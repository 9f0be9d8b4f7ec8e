const DAY_MS = 86_400_000;
const DAYS_BETWEEN_EPOCHS = 1_462;

/** A count of days as hours, minutes and seconds: 1.5 is 36:00:00. */
export function serialToDuration(value) {
  const seconds = Math.round(Math.abs(Number(value)) * 86_400);
  if (!Number.isSafeInteger(seconds)) return value;
  const [minutes, hours] = [Math.floor(seconds / 60) % 60, Math.floor(seconds / 3_600)];
  const rest = [minutes, seconds % 60].map((part) => String(part).padStart(2, "0"));
  return `${Number(value) < 0 ? "-" : ""}${[hours, ...rest].join(":")}`;
}

/** A count of days as a date, with its time where it has one; times alone as times. */
export function serialToDate(serial, is1904) {
  const days = serial + (is1904 ? DAYS_BETWEEN_EPOCHS : 0);
  if (!Number.isFinite(days) || days < 0 || days > 2_958_465) return String(serial);
  // The count holds a 29 February 1900, which there never was.
  const isBeforeGap = days < 60;
  const date = new Date(Date.UTC(1899, 11, isBeforeGap ? 31 : 30) + Math.round(days * 86_400) * 1000);
  const [day, time = ""] = date.toISOString().split("T");
  const clock = time.slice(0, 8);
  // In either count of days.
  if (serial >= 0 && serial < 1) return clock;
  return Math.round(days * DAY_MS) % DAY_MS < 500 ? day : `${day} ${clock}`;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z?$/;
/** Day zero, by either way of counting: what stands on it are times alone. */
const FIRST_DAYS = new Set(["1899-12-30", "1899-12-31"]);

/** What a cell that holds a date in words of ISO 8601 shows, as one that counts its days does. */
export function showIsoDate(value) {
  if (!ISO.test(value)) return value;
  const milliseconds = Date.parse(value.endsWith("Z") ? value : `${value}Z`);
  if (Number.isNaN(milliseconds)) return value;
  const [day, time] = new Date(Math.round(milliseconds / 1000) * 1000).toISOString().split("T");
  const clock = time.slice(0, 8);
  if (FIRST_DAYS.has(day)) return clock;
  return clock === "00:00:00" ? day : `${day} ${clock}`;
}

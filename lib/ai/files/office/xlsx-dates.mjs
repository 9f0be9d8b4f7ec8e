import { attribute, readXml, toNumber } from "./xml.mjs";

/** Number formats that every workbook has, which show dates or times. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
const DAY_MS = 86_400_000;
const DAYS_BETWEEN_EPOCHS = 1_462;

/** Which cell styles show a number as a date. */
export async function readDateFormats(zip, part) {
  const custom = new Map();
  const styles = [];
  let isCellStyle = false;
  if (part) {
    await readXml(zip.read(part), {
      open(name, attributes) {
        if (name === "numFmt") custom.set(attribute(attributes, "numFmtId"), attribute(attributes, "formatCode") ?? "");
        else if (name === "cellXfs") isCellStyle = true;
        else if (name === "xf" && isCellStyle) styles.push(attribute(attributes, "numFmtId"));
      },
      close(name) {
        if (name === "cellXfs") isCellStyle = false;
      },
    });
  }
  return styles.map((id) => BUILT_IN_DATES.has(toNumber(id, 0, 10_000)) || showsDate(custom.get(id) ?? ""));
}

export function isDateFormat(formats, style) {
  return formats[toNumber(style, 0, 1_000_000)] === true;
}

/** Letters of dates outside of quotes and brackets ("[Red]"). */
function showsDate(code) {
  const bare = code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, "");
  return /[ymdhs]/i.test(bare) && !/general/i.test(bare);
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
  if (days < 1) return clock;
  return Math.round(days * DAY_MS) % DAY_MS < 500 ? day : `${day} ${clock}`;
}

import { attribute, isOn, readXml, toNumber } from "../xml.mjs";
import { serialToDate, serialToDuration } from "./xlsx-dates.mjs";
import { unitsOf, withUnit } from "./xlsx-units.mjs";

/** Numbers of formats that every workbook has, from and to, which show dates or times; from 27 on those of East Asia. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];
const BUILT_IN_DURATION = 46;
const BUILT_IN_PERCENTS = [9, 10];

/**
 * What each cell style says of a number: that it is a date ("date"), hours that run on behind 24 ("duration"), hundredths
 * ("percent"), money, counted in thousands, filled up with zeros, or has a unit; and of any value, that it is struck out.
 */
export async function readFormats(zip, part) {
  const custom = new Map();
  const styles = [];
  const fonts = [];
  let list = "";
  if (part) {
    await readXml(zip.read(part), {
      open(name, attributes) {
        if (name === "numFmt") custom.set(attribute(attributes, "numFmtId"), attribute(attributes, "formatCode") ?? "");
        else if (name === "cellXfs" || name === "fonts") list = name;
        else if (name === "font" && list === "fonts") fonts.push({});
        else if (name === "strike" && list === "fonts") fonts.at(-1).isStruck = isOn(attribute(attributes, "val"));
        else if (name === "xf" && list === "cellXfs") {
          styles.push({ id: attribute(attributes, "numFmtId"), font: attribute(attributes, "fontId") });
        }
      },
      close(name) {
        if (name === list) list = "";
      },
    });
  }
  const kindOf = (id) => (custom.get(id) ? kindOfCode(custom.get(id)) : kindOfNumber(toNumber(id, 0, 10_000)));
  const kinds = new Map(styles.map(({ id }) => [id, undefined]));
  for (const id of kinds.keys()) kinds.set(id, kindOf(id));
  return styles.map(({ id, font }) => ({ kind: kinds.get(id), isStruck: fonts[Number(font)]?.isStruck ?? false }));
}

/**
 * @typedef {{ currency: string, isBefore: boolean } | { thousands: number, unit: string } | { mask: string[] } | ReturnType<typeof unitsOf>} NumberManner
 * @returns {{ kind?: "date" | "duration" | "percent" | NumberManner, isStruck?: boolean }}
 */
export function formatOf(formats, style) {
  return formats[toNumber(style, 0, 1_000_000)] ?? {};
}

/** A number as a format of Excel shows it, as far as that says more than the number. */
export function formatNumber(value, code, is1904) {
  return Number.isFinite(Number(value)) ? formatAs(value, code === "" ? undefined : kindOfCode(code), is1904) : value;
}

/** @param {ReturnType<typeof formatOf>["kind"]} kind */
export function formatAs(value, kind, is1904) {
  if (kind === "duration") return serialToDuration(value);
  if (kind === "percent") return toPercent(value);
  if (kind === "date") return serialToDate(Number(value), is1904);
  return kind === undefined ? shortNumber(value) : toNumberText(shortNumber(value), kind);
}

/** 0.1 + 0.2 is saved with all its digits, and 0.001 as 1E-3; people see neither. */
function shortNumber(value) {
  const number = Number(value);
  return (value.length > 15 || value.includes("E")) && Number.isFinite(number)
    ? String(Number(number.toPrecision(15)))
    : value;
}

function kindOfNumber(id) {
  if (id === BUILT_IN_DURATION) return "duration";
  if (BUILT_IN_PERCENTS.includes(id)) return "percent";
  return BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to) ? "date" : undefined;
}

/** As programs of other countries write it too. */
const NO_FORMAT = /general|standa+rd/i;

/** Letters of dates outside of quotes and brackets ("[Red]"); in brackets of their own they count on ("[h]:mm"). */
export function kindOfCode(code) {
  const plain = code.replace(/"[^"]*"|\\./g, "");
  if (/\[(h+|m+|s+)\]/i.test(plain)) return "duration";
  const bare = plain.replace(/\[[^\]]*\]/g, "");
  if (bare.includes("%")) return "percent";
  if (/[ymdhs]/i.test(bare) && !NO_FORMAT.test(bare)) return "date";
  return scaleOf(code) ?? currencyOf(code) ?? maskOf(code) ?? unitsOf(code);
}

/** Alone in quotes, as Excel writes the currency of the country it runs in: other words in quotes are no money. */
const QUOTED_CURRENCY = /^(zł|kr\.?|Kč|Ft|lei|лв\.?|Fr\.?|\p{Sc}|[A-Z]{1,2}\$|[A-Z]{3})$/u;
const CURRENCY_CODES = new Set(Intl.supportedValuesOf("currency"));

/** Of "[$€-407]", "[$USD]", '"zł"' or "$", whichever is there; a country alone is none: "[$-409]". */
function currencyOf(code) {
  for (const match of code.matchAll(/\[\$([^\]-]+)[^\]]*\]|"([^"]*)"|\\?(\p{Sc})/gu)) {
    const quoted = match[2]?.trim();
    const isQuoted =
      quoted !== undefined &&
      QUOTED_CURRENCY.test(quoted) &&
      (!/^[A-Z]{3}$/.test(quoted) || CURRENCY_CODES.has(quoted));
    const currency = match[1]?.trim() || match[3] || (isQuoted ? quoted : undefined);
    if (currency) return { currency, isBefore: match.index < code.search(/[0#?]/) };
  }
  return undefined;
}

/** Commas behind the last digit leave three digits out each: what stands at the column's head, or beside it, counts in thousands. */
function scaleOf(code) {
  const [section = ""] = code.split(";");
  const found = /[0#?](,+)(?=[^0#?,]|$)/.exec(section.replace(/"[^"]*"|\\./g, (literal) => "_".repeat(literal.length)));
  if (!found) return undefined;
  const unit = [...section.matchAll(/"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|(\p{Sc})/gu)].map((match) =>
    match.slice(1).find((text) => text !== undefined),
  );
  return { thousands: found[1].length, unit: unit.join("").trim() };
}

/** Of "00000" or '"RE-"0000': numbers of articles and invoices, whose zeros belong to them. */
function maskOf(code) {
  const pieces = [...(code.split(";")[0] ?? "").matchAll(/"([^"]*)"|\\(.)|([-+ /():0])/g)];
  const mask = pieces.map(([, quoted, escaped, plain]) => quoted ?? escaped ?? plain);
  const isAll = pieces.reduce((length, [piece]) => length + piece.length, 0) === (code.split(";")[0] ?? "").length;
  const zeros = pieces.filter(([, , , plain]) => plain === "0").length;
  return isAll && zeros > 1
    ? { mask: mask.map((text, index) => (pieces[index][3] === "0" ? undefined : text)) }
    : undefined;
}

/** A number as its manner wants it. */
function toNumberText(value, manner) {
  if (manner.mask) return toMasked(value, manner.mask);
  if (manner.units) return withUnit(value, manner.units);
  if (manner.thousands === undefined) return toMoney(value, manner);
  const scaled = Number((Number(value) / 1000 ** manner.thousands).toPrecision(15));
  return Number.isFinite(scaled) ? `${scaled} ${manner.unit}`.trimEnd() : value;
}

/** Digits go to the mask's places from its end; those that are too many stand at its first. */
function toMasked(value, mask) {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) return value;
  const places = mask.filter((text) => text === undefined).length;
  const digits = [...String(Math.abs(number)).padStart(places, "0")];
  const first = digits.splice(0, digits.length - places + 1).join("");
  let isFirst = true;
  const text = mask.map((literal) => {
    if (literal !== undefined) return literal;
    const digit = isFirst ? first : digits.shift();
    isFirst = false;
    return digit;
  });
  return `${number < 0 ? "-" : ""}${text.join("")}`;
}

/** 99.5 as $99.5 or 99.5 €: columns of several currencies differ in nothing else. */
function toMoney(number, { currency, isBefore }) {
  if (!isBefore) return `${number} ${currency}`;
  return number.startsWith("-") ? `-${currency}${number.slice(1)}` : currency + number;
}

/** 0.15 as 15%: what stands at the column's head is about that. */
function toPercent(value) {
  const percent = Number((Number(value) * 100).toPrecision(15));
  return Number.isFinite(percent) ? `${percent}%` : value;
}

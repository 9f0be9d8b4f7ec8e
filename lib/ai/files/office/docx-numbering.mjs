import { attribute, readXml, toNumber } from "./xml.mjs";

const MAX_NUMBER = 1_000_000;

/** The numbers of list items and headings, which stand nowhere in the text: counted as they come, written as Word writes them. */
export async function readNumbering(zip, part) {
  const levels = new Map();
  const abstractOf = new Map();
  const startOf = new Map();
  if (part) await readXml(zip.read(part), definitionHandlers(levels, abstractOf, startOf));
  const counters = new Map();
  return {
    /** @returns {string | undefined} undefined for a bullet, and for what has no number */
    nextNumber(id, atLevel) {
      const abstractId = abstractOf.get(id);
      const definition = (level) => levels.get(`${abstractId}:${level}`) ?? {};
      if (isUnnumbered(definition(atLevel))) return undefined;
      const counts = counters.get(abstractId) ?? [];
      counters.set(abstractId, counts);
      // What stands deeper begins anew; what stands above counts, also when nothing did.
      counts.length = atLevel + 1;
      for (let level = 0; level < atLevel; level++) counts[level] ??= definition(level).start ?? 1;
      const restart = startOf.get(`${id}:${atLevel}`);
      startOf.delete(`${id}:${atLevel}`);
      const next = (counts[atLevel] ?? (definition(atLevel).start ?? 1) - 1) + 1;
      counts[atLevel] = restart ?? next;
      const pattern = definition(atLevel).text ?? `%${atLevel + 1}.`;
      const number = pattern.replace(/%([1-9])/g, (_placeholder, digit) =>
        writeNumber(counts[digit - 1] ?? 0, definition(digit - 1).format),
      );
      return number.trim() || undefined;
    },
  };
}

/** A list of its own (`num`) counts on with others of its kind (`abstractNum`), unless it says where it begins. */
function definitionHandlers(levels, abstractOf, startOf) {
  let abstractId;
  let numId;
  let level = {};
  let overridden = 0;
  return {
    open(name, attributes) {
      const value = attribute(attributes, "val");
      if (name === "abstractNum") abstractId = attribute(attributes, "abstractNumId");
      else if (name === "lvl") {
        level = {};
        // Those of a list of its own would be another kind's.
        if (numId === undefined) levels.set(`${abstractId}:${toNumber(attribute(attributes, "ilvl"), 0, 8)}`, level);
      } else if (name === "numFmt") level.format = value;
      else if (name === "lvlText") level.text = value;
      else if (name === "start") level.start = toNumber(value, 1, MAX_NUMBER);
      else if (name === "num") numId = attribute(attributes, "numId");
      else if (name === "abstractNumId") abstractOf.set(numId, value);
      else if (name === "lvlOverride") overridden = toNumber(attribute(attributes, "ilvl"), 0, 8);
      else if (name === "startOverride") startOf.set(`${numId}:${overridden}`, toNumber(value, 1, MAX_NUMBER));
    },
  };
}

/** A level that nobody defined has a bullet. */
function isUnnumbered({ format }) {
  return format === undefined || format === "bullet" || format === "none";
}

const ROMANS = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
];
const MAX_ROMAN = 3_999;

function writeNumber(number, format) {
  if (number < 1) return String(number);
  if (format === "lowerLetter") return toLetters(number);
  if (format === "upperLetter") return toLetters(number).toUpperCase();
  if (format === "lowerRoman") return toRoman(number);
  if (format === "upperRoman") return toRoman(number).toUpperCase();
  return format === "decimalZero" ? String(number).padStart(2, "0") : String(number);
}

/** a to z, then aa, bb and so on. */
function toLetters(number) {
  const letter = String.fromCharCode(97 + ((number - 1) % 26));
  return letter.repeat(Math.min(Math.ceil(number / 26), 10));
}

function toRoman(number) {
  if (number > MAX_ROMAN) return String(number);
  let rest = number;
  let text = "";
  for (const [value, letters] of ROMANS) {
    for (; rest >= value; rest -= value) text += letters;
  }
  return text;
}

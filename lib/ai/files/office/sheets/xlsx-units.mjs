/**
 * Words around the digits of a section, one for each that a format has, where nothing else stands in it: a word between
 * digits, a condition or a fraction could make another number of it. Question marks alone show no zero.
 */
const LITERAL = String.raw`"[^"]*"|\\.|_.|\*.|\[[^\]<>=]*\]|[^\p{L}\p{N}"\\_*[\]@%.,#?]`;
const DIGITS = String.raw`(?=[?., ]*[0#])[0#?](?:[0#?., \u00A0\u202F]*[0#?])?|General|Standa+rd`;
const SECTION = new RegExp(`^((?:${LITERAL})*)(?:${DIGITS})((?:${LITERAL})*)$`, "iu");

/** Excel takes 255; looking through a much longer one takes for ever. */
const MAX_CODE_CHARACTERS = 500;

/**
 * The units that a format writes around its numbers: '0.00" kg"' or '0"%"', whose percent are no hundredths.
 * @returns {{ units: ({ before: string, after: string } | undefined)[] } | undefined} of numbers above zero, below it, and of zero
 */
export function unitsOf(code) {
  if (code.length > MAX_CODE_CHARACTERS) return undefined;
  const units = sectionsOf(code).slice(0, 3).map(unitOf);
  return units.some((unit) => unit && hasWords(unit)) ? { units } : undefined;
}

/** A number with all its digits and the unit that it is shown with. */
export function withUnit(value, units) {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const [above] = units;
  const unit = number < 0 && units.length > 1 ? units[1] : number === 0 && units.length > 2 ? units[2] : above;
  if (!unit) return value;
  const { before, after } = unit;
  // A section of its own may say in words what is below zero, as "S" and "H" of accounts; else the sign says it.
  const isSaid = unit !== above && hasWords(unit) && !unit.isSigned && before + after !== above?.before + above?.after;
  const sign = number < 0 && !isSaid ? "-" : "";
  return sign + before + value.replace("-", "") + after;
}

function sectionsOf(code) {
  const found = [""];
  for (const [piece] of code.matchAll(/"[^"]*"|\\.|\[[^\]]*\]|./gsu)) {
    if (piece === ";") found.push("");
    else found[found.length - 1] += piece;
  }
  return found;
}

function unitOf(section) {
  const [, start, end] = SECTION.exec(section) ?? [];
  if (start === undefined) return undefined;
  const [before, after] = [wordsIn(start).trimStart(), wordsIn(end).trimEnd()];
  // Digits beside the number would pass for its own.
  if (/\d[^\p{L}]*$/u.test(before) || /^[^\p{L}]*\d/u.test(after)) return undefined;
  return { before, after, isSigned: SIGN.test(withoutQuotes(start + end)) };
}

/** Numbers below zero stand in brackets or behind a minus; both are the number's, unless they are in quotes. */
const SIGN = /[-(]/;
const withoutQuotes = (text) => text.replace(/"[^"]*"|\[[^\]]*\]/g, "");

/** What is shown of them: without colours, countries, signs and what only keeps a place free. */
function wordsIn(literals) {
  const pieces = literals.matchAll(/"([^"]*)"|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*].|\\?[-+()]|\\?(.)/gsu);
  return [...pieces]
    .map(([, ...shown]) => shown.join(""))
    .join("")
    .replace(/\s+/g, " ");
}

const hasWords = ({ before, after }) => (before + after).trim() !== "";

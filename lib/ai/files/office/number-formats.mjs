/** In the format of that name of Word's; decimal in what is not known here. */
export function writeNumber(number, format) {
  if (number < 1) return String(number);
  if (format === "lowerLetter") return toLetters(number, LATIN);
  if (format === "upperLetter") return toLetters(number, LATIN).toUpperCase();
  if (format === "russianLower") return toLetters(number, RUSSIAN);
  if (format === "russianUpper") return toLetters(number, RUSSIAN).toUpperCase();
  if (format === "lowerRoman") return toRoman(number);
  if (format === "upperRoman") return toRoman(number).toUpperCase();
  return format === "decimalZero" ? String(number).padStart(2, "0") : String(number);
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

const LATIN = "abcdefghijklmnopqrstuvwxyz";
const RUSSIAN = "абвгдежзиклмнопрстуфхцчшщэюя";

/** a to z, then aa, bb and so on. */
function toLetters(number, alphabet) {
  const letter = alphabet.charAt((number - 1) % alphabet.length);
  return letter.repeat(Math.min(Math.ceil(number / alphabet.length), 10));
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

// Plain JavaScript, since a worker runs it from its source.
import { raise } from "../office/run-text.mjs";
import { SYMBOL_FONTS } from "../office/symbol-fonts.mjs";
import { PdfCells } from "./pdf-columns.mjs";
import { inReadingOrder, withoutShapes } from "./pdf-right-to-left.mjs";

/**
 * The text of a page. Items are runs of text; where a line ends is marked. A gap is one too: a wide one is between two columns,
 * whose numbers one blank would make one number.
 */
export function joinItems(items) {
  let text = "";
  let between = "";
  let base;
  let before;
  let above;
  const cells = new PdfCells();
  for (const item of inReadingOrder(items)) {
    const size = Math.hypot(item.transform[0], item.transform[1]);
    if (item.str.trim() === "") {
      between += item.width >= size * LEAST_COLUMN_GAP && size > 0 && item.str !== "" ? "\t" : item.str;
      before = undefined;
    } else {
      const isBelow = between.includes("\n") && standsBelow(above, item, size);
      const gap = (isBelow ? "" : between) + gapToLeft(before, item, size);
      between = "";
      text += gap;
      cells.add(gap, item);
      if (base && isRaised(item, size, base)) text += raise(item.str);
      else {
        text += item.str;
        base = { size, height: item.transform[5] };
      }
      before = item;
      above = item;
    }
    if (item.hasEOL) {
      between += "\n";
      base = undefined;
      before = undefined;
    }
  }
  return withoutShapes(
    nameSigns(
      mendLigatures(
        cells
          .align(text)
          .replace(/[ \t]+\n/g, "\n")
          .trim(),
      ),
    ),
  );
}

/**
 * Whether a text is none: the font says how its shapes look and not which letters they are, so that a paper of words comes as
 * characters that no text has. Where letters come as other letters, the blanks between words still show it.
 */
export function isGibberish(text) {
  const shapes = text.replace(/\s/g, "");
  const shareOf = (kind) => (shapes.match(kind)?.length ?? 0) / shapes.length;
  return shareOf(NO_LETTERS) > MOST_WITHOUT_LETTERS || shareOf(PRIVATE) > MOST_PRIVATE;
}

/** Control characters, those of no use yet, and the one that stands for what nobody could read. */
const NO_LETTERS = /[\p{Cc}\p{Cn}\uFFFD]/gu;
/** Signs of formulas and ligatures of old fonts are a few of a hundred; blanks one of six. */
const MOST_WITHOUT_LETTERS = 0.1;
/** Bullets, and signs of formulas in fonts of symbols. */
const PRIVATE = /\p{Co}/gu;
const MOST_PRIVATE = 0.25;

/**
 * Whether two letters are of one column that is read from above: each of them is drawn as a line of its own. Signs that are
 * turned for it stand half a letter aside and take up to two letters.
 */
function standsBelow(above, item, size) {
  if (!above || !EAST_ASIAN.test(above.str) || !EAST_ASIAN.test(item.str)) return false;
  const aside = Math.abs(item.transform[4] - above.transform[4]);
  const below = above.transform[5] - item.transform[5];
  const isTurned = [above, item].some(({ dir }) => dir === "ttb");
  return aside < size * MOST_ASIDE && below > 0 && below < size * (isTurned ? MOST_BELOW_TURNED : MOST_BELOW);
}

const EAST_ASIAN = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3000-\u303F\uFE10-\uFE4F\uFF00-\uFFEF]$/u;
const MOST_ASIDE = 0.75;
const MOST_BELOW = 1.25;
const MOST_BELOW_TURNED = 2.25;

/** In sizes of its letters: blanks are a third of one, also where lines are stretched mostly less than this. */
const LEAST_COLUMN_GAP = 1;
const LEAST_BLANK = 0.15;
const MOST_RAISED_SIZE = 0.8;
const LEAST_RAISE = 0.2;

/** Where a line runs from right to left, a number or a foreign word in it is a run of its own, and nobody marks the gap. */
function gapToLeft(before, { transform, width, reach }, size) {
  if (!before || transform[1] !== 0 || before.transform[5] !== transform[5]) return "";
  const gap = (before.reach?.from ?? before.transform[4]) - (reach?.to ?? transform[4] + width);
  if (gap < size * LEAST_BLANK) return "";
  return gap < size * LEAST_COLUMN_GAP ? " " : "\t";
}

/** Smaller than the text before it and above its line, which lies level: 19 with raised 99 is no 1999. */
function isRaised({ transform }, size, base) {
  const above = (transform[5] - base.height) / base.size;
  return transform[1] === 0 && size < base.size * MOST_RAISED_SIZE && above > LEAST_RAISE && above < 1;
}

/** Some releases of Ghostscript name the letters of a ligature with their bytes swapped, and cut off: "e昀케cient" for "efficient". */
function mendLigatures(text) {
  return text.replace(/[昀琀](?:[昀椀氀琀樀]{1,2}|[케툀])/g, (letters) =>
    letters.replace(/./g, (letter) => SWAPPED.get(letter)),
  );
}

const SWAPPED = new Map([
  ["昀", "f"],
  ["琀", "t"],
  ["椀", "i"],
  ["氀", "l"],
  ["樀", "j"],
  ["케", "fi"],
  ["툀", "fl"],
]);

/**
 * Office programs print boxes, ticks and points of lists in fonts of signs, whose codes come in a private range: which box is
 * ticked is all that some forms say. What is a letter in one such font and a sign in another is left as it is.
 */
function nameSigns(text) {
  return text.replace(/[\uF0A7\uF0A8\uF0B7\uF0D8\uF0FB-\uF0FE]/g, (sign) => SIGNS.get(sign));
}

const WINGDINGS = SYMBOL_FONTS.get("wingdings");
const SIGNS = new Map([
  ...[0xa8, 0xfb, 0xfc, 0xfd, 0xfe].map((code) => [String.fromCharCode(0xf000 + code), WINGDINGS.get(code)]),
  ["\uF0A7", "▪"],
  ["\uF0B7", "•"],
  ["\uF0D8", "➢"],
]);

// Plain JavaScript, since a worker runs it from its source.

/** Letters of scripts that run from right to left, also in the shapes that they take in words. */
const LETTERS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const COUNTED = new RegExp(LETTERS.source, "g");
const OTHER_LETTERS = /\p{sc=Latin}/gu;
const OTHERS = /[\p{sc=Latin}\d]/u;

/**
 * The items of a page, those of lines that run from right to left in the order in which they are read. Browsers draw such a line
 * from its left end, letter by letter: as it is drawn, each word would be spelled backwards.
 */
export function* inReadingOrder(items) {
  let line = [];
  for (const item of items) {
    if (typeof item.str !== "string") continue;
    line.push(item);
    if (!item.hasEOL) continue;
    yield* orderLine(line);
    line = [];
  }
  yield* orderLine(line);
}

function orderLine(line) {
  if (!line.some(({ str }) => LETTERS.test(str)) || !isDrawnFromLeft(line)) return line;
  const text = line.map(({ str }) => str).join("");
  const [own, others] = [countOf(text, COUNTED), countOf(text, OTHER_LETTERS)];
  const isRightToLeft = own >= (own + others) * LEAST_SHARE;
  const runs = runsOf(line, isRightToLeft);
  const ordered = runs.flatMap((run) => (run.isRightToLeft === isRightToLeft ? run.items : turned(run.items)));
  if (isRightToLeft) ordered.reverse();
  // Where the line ends stays at its end.
  const last = ordered.length - 1;
  const hasEOL = line.some((item) => item.hasEOL);
  return ordered.map((item, index) => ({ ...item, hasEOL: hasEOL && index === last }));
}

/** Of its letters: names of companies and products stand in Latin ones. */
const LEAST_SHARE = 0.3;

const countOf = (text, letters) => text.match(letters)?.length ?? 0;

/** A run that goes on against its line: its first and last items say how far the whole of it reaches. */
function turned(items) {
  const [left, right] = [items[0], items.at(-1)];
  const reach = { from: left.transform[4], to: right.transform[4] + right.width };
  return items.toReversed().map((item) => (item === left || item === right ? { ...item, reach } : item));
}

/** Other programs write it in the order in which it is read: each item to the left of the one before. */
function isDrawnFromLeft(line) {
  const written = line.filter(({ str }) => str.trim() !== "");
  let steps = 0;
  for (let index = 1; index < written.length; index++) {
    const [before, item] = [written[index - 1], written[index]];
    if (before.transform[1] !== 0 || item.transform[5] !== before.transform[5]) continue;
    steps += Math.sign(item.transform[4] - before.transform[4]);
  }
  return steps > 0;
}

/** Items of one direction that stand together; blanks and marks go with those around them, else with the line. */
function runsOf(line, isRightToLeft) {
  const runs = [];
  let before;
  let unsettled = [];
  const add = (item, direction) => {
    const run = runs.at(-1);
    if (run?.isRightToLeft === direction) run.items.push(item);
    else runs.push({ isRightToLeft: direction, items: [item] });
  };
  for (const item of line) {
    const direction = directionOf(item.str);
    if (direction === undefined) {
      unsettled.push(item);
      continue;
    }
    const between = before && belongTogether(before, { item, direction }) ? direction : isRightToLeft;
    for (const blank of unsettled) add(blank, between);
    unsettled = [];
    add(item, direction);
    before = { item, direction };
  }
  for (const blank of unsettled) add(blank, isRightToLeft);
  return runs;
}

/** Numbers beside each other are values of their own. */
function belongTogether(before, behind) {
  if (before.direction !== behind.direction) return false;
  return behind.direction || [before, behind].some(({ item }) => countOf(item.str, OTHER_LETTERS) > 0);
}

function directionOf(text) {
  if (LETTERS.test(text)) return true;
  return OTHERS.test(text) ? false : undefined;
}

/** Letters in the shapes that they take in words become the letters that they are. */
export function withoutShapes(text) {
  return text.replace(/[\ufb1d-\ufdff\ufe80-\ufefc]/g, (letter) => letter.normalize("NFKC"));
}

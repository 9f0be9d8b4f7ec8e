// Plain JavaScript, since a worker runs it from its source.
import { getResolvedPDFJS } from "unpdf";

const { OPS } = await getResolvedPDFJS();
const NO_LETTERS = /[\s\p{Cf}]/gu;

/** The layers of a document where some are switched off, so that nobody sees what is on them; undefined where none is. */
export async function findHiddenLayers(pdf) {
  // Damage here leaves the text what it is.
  const layers = await pdf.getOptionalContentConfig().catch(() => undefined);
  return [...(layers ?? [])].some(([, layer]) => !layer.visible) ? layers : undefined;
}

/**
 * The runs of text of a page, apart by whether people see them. A run does not say which layer it is on, and what is drawn does:
 * both have the same letters in the same order, or all runs count as seen.
 */
export async function splitByLayers(page, items, layers) {
  if (!layers) return { seen: items, hidden: [] };
  const drawn = await page.getOperatorList().catch(() => undefined);
  const plain = (await page.getTextContent({ disableNormalization: true })).items;
  const marks = drawn ? marksOf(drawn, layers) : "";
  const ends = [];
  for (const { str } of plain) ends.push((ends.at(-1) ?? 0) + lettersOf(str).length);
  if (!marks.includes(HIDDEN) || plain.length !== items.length || ends.at(-1) !== marks.length) {
    return { seen: items, hidden: [] };
  }
  const split = { seen: [], hidden: [] };
  let side = "seen";
  for (const [index, item] of items.entries()) {
    const ownMarks = marks.slice(ends[index - 1] ?? 0, ends[index]);
    const before = side;
    // A line's end is the end of what stands before it.
    if (ownMarks !== "") side = ownMarks.includes(HIDDEN) ? "hidden" : "seen";
    if (side !== before) keepApart(split[side], item);
    split[side].push(item);
  }
  return split;
}

/** Between runs that had one of the other side between them. */
function keepApart(runs, item) {
  const last = runs.at(-1);
  if (!last || last.hasEOL) return;
  const isOneLine = last.transform[5] === item.transform[5];
  runs.push({ ...item, str: isOneLine ? " " : "", width: 0, hasEOL: !isOneLine });
}

const SEEN = "s";
const HIDDEN = "h";
const lettersOf = (text) => text.replace(NO_LETTERS, "");

/** A mark for each letter that is drawn. */
function marksOf({ fnArray, argsArray }, layers) {
  const around = [];
  let marks = "";
  for (const [index, code] of fnArray.entries()) {
    const args = argsArray[index];
    // No text of the page itself.
    if (code === OPS.beginAnnotation) break;
    if (code === OPS.beginMarkedContent) around.push(false);
    else if (code === OPS.beginMarkedContentProps) around.push(args[0] === "OC" && !layers.isVisible(args[1]));
    else if (code === OPS.endMarkedContent) around.pop();
    else if (code === OPS.showText) {
      const letters = lettersOf(args[0].map((glyph) => glyph?.unicode ?? "").join(""));
      marks += (around.includes(true) ? HIDDEN : SEEN).repeat(letters.length);
    }
  }
  return marks;
}

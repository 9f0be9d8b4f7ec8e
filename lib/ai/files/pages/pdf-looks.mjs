// Plain JavaScript, since a worker runs it from its source.
import { getResolvedPDFJS } from "unpdf";

const { OPS } = await getResolvedPDFJS();
/** What comes after them stands at another place. */
const MOVES = new Set([OPS.beginText, OPS.setTextMatrix, OPS.moveText, OPS.nextLine]);
/** In thousandths of the letters' size; fonts stand letters closer or wider by less. */
const LEAST_BLANK = -200;

/**
 * The words in the looks of annotations of a page, by their ids. Who signed a document and when, or that it was approved, is drawn
 * so and stands nowhere else in it.
 */
export async function readLooks(page, ids) {
  const looks = new Map();
  if (ids.length === 0) return looks;
  const asked = new Set(ids);
  // Damage here leaves the page's text what it is.
  const drawn = await page.getOperatorList().catch(() => undefined);
  let text;
  drawn?.fnArray.forEach((code, index) => {
    const args = drawn.argsArray[index];
    if (code === OPS.beginAnnotation) text = asked.has(args[0]) ? { id: args[0], words: "" } : undefined;
    if (!text) return;
    if (MOVES.has(code)) text.words += " ";
    if (code === OPS.showText) text.words += args[0].map(letterOf).join("");
    if (code === OPS.endAnnotation) looks.set(text.id, text.words.replace(/\s+/g, " ").trim());
  });
  return looks;
}

function letterOf(glyph) {
  if (typeof glyph === "number") return glyph < LEAST_BLANK ? " " : "";
  return glyph.unicode ?? "";
}

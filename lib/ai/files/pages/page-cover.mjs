import { getResolvedPDFJS } from "unpdf";

/** Of the page: no text is set in units as large as this, so what is drawn there is a picture. */
const LEAST_PICTURE = 0.01;
/** Of the page: a larger one is the paper under the text, or the scan that the text was read from. */
const MOST_PICTURE = 0.9;

const { OPS } = await getResolvedPDFJS();
/** May stand between where a picture is put and the picture. */
const ASIDE = new Set([OPS.setGState, OPS.dependency, OPS.beginMarkedContent, OPS.beginMarkedContentProps]);

/**
 * How much of a page is covered with pictures, as a share of it, and how many of them stand beside its text. None of them is
 * unpacked, nor named: each fills the unit square, and how large that is where one is drawn stands in front of it.
 */
export async function readCover(page) {
  const [left, bottom, right, top] = page.view;
  const area = Math.abs((right - left) * (top - bottom));
  const cover = { share: 0, pictures: 0 };
  // Damage here leaves the page's text what it is.
  const drawn = await page.getOperatorList().catch(() => undefined);
  if (!drawn || !(area > 0)) return cover;
  const { fnArray, argsArray } = drawn;
  const outer = [];
  let unit = 1 / area;
  fnArray.forEach((code, index) => {
    if (code === OPS.save || code === OPS.paintFormXObjectBegin) outer.push(unit);
    if (code === OPS.restore || code === OPS.paintFormXObjectEnd) unit = outer.pop() ?? 1 / area;
    const matrix = matrixOf(code, argsArray[index]);
    if (!matrix) return;
    unit *= Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]);
    if (unit < LEAST_PICTURE) return;
    cover.share += unit;
    if (unit <= MOST_PICTURE && isEmpty(fnArray, index + 1)) cover.pictures += 1;
  });
  return cover;
}

function matrixOf(code, args) {
  if (code === OPS.transform) return args;
  return code === OPS.paintFormXObjectBegin ? args[0] : undefined;
}

/** Where a picture was left out, nothing is drawn. */
function isEmpty(fnArray, from) {
  let index = from;
  while (ASIDE.has(fnArray[index])) index += 1;
  return [OPS.restore, OPS.endMarkedContent, OPS.paintFormXObjectEnd, undefined].includes(fnArray[index]);
}

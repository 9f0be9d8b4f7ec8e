import { getResolvedPDFJS } from "unpdf";

/** Of the page, which its pictures cover at least. */
const LEAST_COVERED = 0.5;
/** Of the page: no text is set in units as large as this, so what is drawn there is a picture. */
const LEAST_PICTURE = 0.01;

const { OPS } = await getResolvedPDFJS();

/**
 * Whether most of a page is covered with pictures. None of them is unpacked: each fills the unit square, and how large
 * that is where one is drawn stands in front of it.
 */
export async function isScan(page) {
  const [left, bottom, right, top] = page.view;
  // Damage here leaves the page's text what it is.
  const drawn = await page.getOperatorList().catch(() => undefined);
  if (!drawn) return false;
  return coveredBy(drawn) >= Math.abs((right - left) * (top - bottom)) * LEAST_COVERED;

  function coveredBy({ fnArray, argsArray }) {
    const least = Math.abs((right - left) * (top - bottom)) * LEAST_PICTURE;
    const outer = [];
    let unit = 1;
    let covered = 0;
    fnArray.forEach((code, index) => {
      if (code === OPS.save || code === OPS.paintFormXObjectBegin) outer.push(unit);
      if (code === OPS.restore || code === OPS.paintFormXObjectEnd) unit = outer.pop() ?? 1;
      const matrix = matrixOf(code, argsArray[index]);
      if (!matrix) return;
      unit *= Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]);
      if (unit >= least) covered += unit;
    });
    return covered;
  }
}

function matrixOf(code, args) {
  if (code === OPS.transform) return args;
  return code === OPS.paintFormXObjectBegin ? args[0] : undefined;
}

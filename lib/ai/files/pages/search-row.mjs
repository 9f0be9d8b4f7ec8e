// Plain JavaScript, since a worker runs it from its source.

/** Asked about at least, all over the row. */
const SPREAD = 8;
/** At first a change is looked for at so much the cost of looking elsewhere. */
const CHANGE_WEIGHT = 4;

/**
 * Finds where in a row things change, asking about few of them: both ends, then the middle of what lies widest between two
 * that were asked, and from then on only between two that differ, until nothing is left between these.
 * @param count of the row, at least 1
 * @param most that are asked about
 * @param ask of what kind one is, from 0
 */
export async function searchRow(count, most, ask) {
  const known = [];
  for (const at of new Set([0, count - 1])) known.push({ at, kind: await ask(at) });
  while (known.length < most) {
    const next = widest(known, known.length < SPREAD ? 1 : 0);
    if (next === 0) return;
    const at = (known[next - 1].at + known[next].at) >> 1;
    known.splice(next, 0, { at, kind: await ask(at) });
  }
}

/** Index behind the widest gap; 0 when nothing lies in any that counts. */
function widest(known, likeWeight) {
  let found = 0;
  let most = 0;
  for (let index = 1; index < known.length; index++) {
    const isChange = known[index].kind !== known[index - 1].kind;
    const between = known[index].at - known[index - 1].at - 1;
    const weight = between * (isChange ? CHANGE_WEIGHT : likeWeight);
    if (weight <= most) continue;
    found = index;
    most = weight;
  }
  return found;
}

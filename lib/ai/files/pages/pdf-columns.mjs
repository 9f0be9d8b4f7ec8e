// Plain JavaScript, since a worker runs it from its source.

/** A table of two columns with an empty cell is a line of one. */
const LEAST_COLUMNS = 3;
/** A line of more cells is no table, and takes long to compare. */
const MOST_COLUMNS = 100;
/** In sizes of its letters: rows of a table stand no further apart. */
const MOST_APART = 4;

/**
 * Where the cells of each line stand, as the text of a page is put together: a wide gap begins a cell.
 */
export class PdfCells {
  #lines = [newLine()];

  /** @param {string} gap what stands between the piece and the one before @param {{ transform: number[], width: number }} item */
  add(gap, { transform, width }) {
    for (const _end of gap.matchAll(/\n/g)) this.#lines.push(newLine());
    const line = this.#lines.at(-1);
    const piece = { from: transform[4], to: transform[4] + width };
    line.y ??= transform[5];
    line.size = Math.max(line.size, Math.abs(transform[3]));
    line.isLevel &&= transform[1] === 0 && transform[0] > 0;
    const cell = line.cells.at(-1);
    if (!cell || gap.includes("\t")) line.cells.push(piece);
    else {
      cell.from = Math.min(cell.from, piece.from);
      cell.to = Math.max(cell.to, piece.to);
    }
  }

  /** The text with each value of a table in its column, also behind cells that are empty: a price is no count. */
  align(text) {
    const rows = text.split("\n").map((line, index) => rowOf(line, this.#lines[index]));
    for (const table of tablesOf(rows)) alignTable(table);
    return rows.map(({ words }) => words.join("\t")).join("\n");
  }
}

const newLine = () => ({ cells: [], isLevel: true, y: undefined, size: 0 });

/** Of a line with tabs of its own nobody knows where its cells stand. */
function rowOf(text, { cells, isLevel, y, size } = newLine()) {
  const words = text.split("\t");
  return { words, cells: isLevel && words.length === cells.length ? cells : [], y, size };
}

/** Rows that stand together. A description goes on below its row, to the right of the first column, and ends no table. */
function* tablesOf(rows) {
  let table = [];
  let before;
  for (const row of rows) {
    const isFar = before && !(Math.abs(before.y - row.y) <= row.size * MOST_APART);
    if (isFar || (row.cells.length < 2 && !goesOn(row, table.at(-1)))) {
      yield table;
      table = [];
    }
    if (row.cells.length > 1) table.push(row);
    before = table.length > 0 ? row : undefined;
  }
  yield table;
}

function goesOn({ cells: [cell] }, above) {
  return cell !== undefined && above !== undefined && cell.from > above.cells[0].to;
}

/** What does not fit begins another table. */
function alignTable(rows) {
  for (let rest = rows; rest.length > 1; ) {
    const count = rest.reduce((most, { cells }) => Math.max(most, cells.length), 0);
    if (count < LEAST_COLUMNS || count > MOST_COLUMNS) return;
    const columns = columnsOf(
      rest.filter(({ cells }) => cells.length === count),
      count,
    );
    if (columns.some(({ from }, index) => index > 0 && from <= columns[index - 1].to)) return;
    const placed = rest.map((row) => (row.cells.length < count ? placedIn(row, columns) : row.words));
    const end = placed.indexOf(undefined);
    const isFullBefore = end === -1 || rest.slice(0, end).some(({ cells }) => cells.length === count);
    if (isFullBefore)
      for (const [index, words] of placed.slice(0, end === -1 ? rest.length : end).entries()) rest[index].words = words;
    if (end === -1) return;
    rest = rest.slice(Math.max(end, 1));
  }
}

/** As far as the cells of full rows reach. */
function columnsOf(rows, count) {
  return Array.from({ length: count }, (_column, index) => ({
    from: Math.min(...rows.map(({ cells }) => cells[index].from)),
    to: Math.max(...rows.map(({ cells }) => cells[index].to)),
  }));
}

/** @returns undefined where a cell stands in no column, or in more than one */
function placedIn({ words, cells }, columns) {
  const found = [];
  for (const [index, { from, to }] of cells.entries()) {
    const at = columns.flatMap((column, number) => (from < column.to && to > column.from ? [number] : []));
    if (at.length !== 1 || at[0] < found.length) return undefined;
    while (found.length < at[0]) found.push("");
    found.push(words[index]);
  }
  return found;
}

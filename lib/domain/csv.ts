/** CSV as RFC 4180 has it, for programs that people open it in. */

export type CsvCell = string | number | boolean | WrittenNumber | null;

/** A number as somebody wrote it, with digits that JavaScript does not keep. */
export interface WrittenNumber {
  digits: string;
}

/**
 * A document in pieces: the header at once, then a piece for each batch of rows; an empty one for a batch without, so that its
 * reader can leave where looking for rows takes long.
 * @param batches each row with its cells in the header's order
 */
export async function* csvDocument(
  header: readonly string[],
  batches: AsyncIterable<readonly (readonly CsvCell[])[]>,
): AsyncGenerator<string, void> {
  yield csvLine(header);
  for await (const rows of batches) yield rows.map(csvLine).join("");
}

/** One line with its end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** What a spreadsheet would take for a formula, or for the way to one; some take the wide signs of East Asian scripts for the same. */
const FORMULA_START = /^[=+\-@＝＋－＠\t\r\n]/;
/** Where the decimal sign is a comma, spreadsheets part cells at semicolons instead, and know no quotes but those behind one. */
const LATER_FORMULA_START = /(?=[=+\-@＝＋－＠])(?<=[;\r\n][\s"]*)/g;
const NEEDS_QUOTES = /[",\r\n\t]|^\s|\s$/;

/** What begins like a formula gets a ' in front, so that no program runs it; numbers stay numbers. */
function csvCell(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "object") return cell.digits;
  if (typeof cell !== "string") return String(cell);
  const parted = cell.replace(LATER_FORMULA_START, "'");
  const text = FORMULA_START.test(parted) ? `'${parted}` : parted;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Columns that a sheet can have. */
export const MAX_COLUMNS = 16_384;

/** @param {(string | undefined)[]} cells with holes where nothing stands */
export function rowText(cells, isHidden) {
  return `${Array.from(cells, quoteCell).join(",")}${isHidden ? ",[hidden row]" : ""}\n`;
}

function quoteCell(value = "") {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** The third column, 3, is "C". */
export function lettersOf(column) {
  let letters = "";
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** A sheet's name as its section's title. */
export function sheetTitle(name, isHidden) {
  const title = name.replace(/[\r\n\]]+/g, " ");
  return isHidden ? `${title} (hidden)` : title;
}

/** A cell's text with what people said of it. */
export function withComments(text, comments) {
  return comments ? `${text} [Comment: ${comments.join("; ")}]`.trimStart() : text;
}

/** Most comments begin with their author's name already. */
export function signComment(author, text) {
  return author && !text.startsWith(author) ? `${author}: ${text}` : text;
}

/** What belongs to the sheet and not to a cell, behind its rows. */
export function writeUnder(output, title, lines) {
  if (lines.length > 0) output.write(`\n${title}\n${lines.join("\n")}\n`);
}

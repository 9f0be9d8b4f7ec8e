import { appendRun } from "../run-text.mjs";
import { attribute, isOn, relationId, toNumber } from "../xml.mjs";
import { lettersOf, MAX_COLUMNS, rowText } from "./sheet-row.mjs";

/**
 * Writes the rows of a sheet as CSV while its part is read.
 * @param further takes what belongs to the sheet and to no cell: its controls, headers and footers, and hidden columns
 */
export function sheetHandlers(output, toText, { controls, margins, hiddenColumns }) {
  const cells = cellHandlers(output, toText);
  let margin;
  return {
    open(name, attributes) {
      if (name === "control") controls.set(attribute(attributes, "shapeId"), relationId(attributes));
      else if (MARGINS.has(name)) margin = "";
      else if (name === "col") hiddenColumns.push(...readHidden(attributes));
      else cells.open(name, attributes);
    },
    text(text) {
      if (margin === undefined) cells.text(text);
      else margin += text;
    },
    close(name) {
      cells.close(name);
      if (margin !== undefined && MARGINS.has(name)) {
        margins.push(...readMargin(margin));
        margin = undefined;
      }
    },
  };
}

/** Columns by their letters, first and last of a row of them, when nobody sees them. */
function readHidden(attributes) {
  if (!isHidden(attributes)) return [];
  const [from, to] = ["min", "max"].map((key) => toNumber(attribute(attributes, key), 0, MAX_COLUMNS));
  return [from === to ? lettersOf(from) : `${lettersOf(from)}-${lettersOf(to)}`];
}

function isHidden(attributes) {
  const hidden = attribute(attributes, "hidden");
  return hidden !== undefined && isOn(hidden);
}

const MARGINS = new Set(["oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter"]);

/** Left, middle and right of it, without their looks; where the page is numbered or the file named is nothing to read. */
function readMargin(code) {
  return code
    .split(/&[LCR]/)
    .filter((part) => !/&[PNDTFAZ]/.test(part.replaceAll("&&", "")))
    .map((part) => part.replace(/&("[^"]*"|K[0-9A-F]{6}|\d+|[A-Z])/g, "").replaceAll("&&", "&"))
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter(Boolean);
}

function cellHandlers(output, toText) {
  let row = [];
  let isHiddenRow = false;
  let nextColumn = 0;
  let cell;
  /** Where the text of an element goes. */
  let field;
  let isPhonetic = false;
  let run = {};
  const shared = new Map();
  return {
    open(name, attributes) {
      if (name === "row") {
        row = [];
        isHiddenRow = isHidden(attributes);
        nextColumn = 0;
      } else if (name === "c") {
        const reference = attribute(attributes, "r");
        // A cell need not say where it stands: then it follows the one before, which may be empty.
        const column = columnOf(reference) ?? nextColumn;
        nextColumn = column + 1;
        const [type, style] = [attribute(attributes, "t"), attribute(attributes, "s")];
        cell = { reference, column, type, style, value: "", formula: "" };
        run = {};
      } else if (name === "rPh") isPhonetic = true;
      else if (name === "r") run = {};
      else if (!isPhonetic) {
        field = CELL_FIELDS.get(name) ?? field;
        if (name === "f" && cell) cell.shared = attribute(attributes, "si");
      }
      readLook(run, name, attributes);
    },
    text(text) {
      if (field && cell) cell[field] = appendRun(cell[field], text, run);
    },
    close(name) {
      if (CELL_FIELDS.has(name)) field = undefined;
      else if (name === "rPh") isPhonetic = false;
      else if (name === "c" && cell) {
        shareFormula(shared, cell);
        const text = toText(cell);
        if (text !== "" && cell.column < MAX_COLUMNS) row[cell.column] = text;
        cell = undefined;
      } else if (name === "row" && row.length > 0) {
        output.write(rowText(row, isHiddenRow));
      }
    },
  };
}

/** A formula that goes for a range stands in its first cell: the others have it with other cells, as many further on as they are. */
function shareFormula(shared, cell) {
  if (cell.shared === undefined) return;
  if (cell.formula !== "") shared.set(cell.shared, `${cell.formula} [as in ${cell.reference}]`);
  else cell.formula = shared.get(cell.shared) ?? "";
}

const CELL_FIELDS = new Map([
  ["v", "value"],
  ["t", "value"],
  ["f", "formula"],
]);

/** What the look of a piece of text in a cell says of it. */
export function readLook(run, name, attributes) {
  if (name === "vertAlign") run.isRaised = attribute(attributes, "val") === "superscript";
  else if (name === "strike") run.isStruck = isOn(attribute(attributes, "val"));
}

/** "C7" is the third column, 2. */
function columnOf(reference = "") {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (!letters) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

import { findPart, readRelations } from "./relations.mjs";
import { formatOf, readFormats, serialToDate, serialToDuration, toMoney, toPercent } from "./xlsx-formats.mjs";
import { attribute, readXml, relationId } from "./xml.mjs";

/** Columns that a sheet can have. */
const MAX_COLUMNS = 16_384;

/**
 * The sheets of a workbook as CSV, each a section; formulas as the values that were saved with them, and as themselves where
 * a program that does not calculate saved none.
 */
export async function readXlsx(zip, part, output) {
  const relations = await readRelations(zip, part);
  const workbook = await readWorkbook(zip, part);
  const strings = await readSharedStrings(zip, findPart(zip, relations, "sharedStrings"));
  const formats = await readFormats(zip, findPart(zip, relations, "styles"));
  const skipped = { pictures: countNames(zip, /^xl\/media\//), charts: countNames(zip, /^xl\/charts\/chart[^/]*$/) };
  for (const { name, id, isHidden } of workbook.sheets) {
    if (output.isFull) break;
    const target = relations.get(id)?.target;
    // A sheet may consist of one chart.
    if (relations.get(id)?.type !== "worksheet") continue;
    output.begin(isHidden ? `${name} (hidden)` : name);
    const toText = (cell) => cellText(cell, strings, formats, workbook.is1904);
    await readXml(zip.read(target), sheetHandlers(output, toText), () => output.isFull);
  }
  return {
    ...skipped,
    sectionCount: workbook.sheets.filter(({ id }) => relations.get(id)?.type === "worksheet").length,
  };
}

function countNames(zip, pattern) {
  return zip.names().filter((name) => pattern.test(name)).length;
}

async function readWorkbook(zip, part) {
  const workbook = { sheets: [], is1904: false };
  await readXml(zip.read(part), {
    open(name, attributes) {
      if (name === "workbookPr") workbook.is1904 = /^(1|true)$/.test(attribute(attributes, "date1904") ?? "");
      if (name !== "sheet") return;
      workbook.sheets.push({
        name: (attribute(attributes, "name") ?? "").replace(/[\r\n\]]+/g, " "),
        id: relationId(attributes),
        isHidden: /hidden/i.test(attribute(attributes, "state") ?? ""),
      });
    },
  });
  return workbook;
}

async function readSharedStrings(zip, part) {
  const strings = [];
  if (!part) return strings;
  let text;
  let isText = false;
  let phoneticDepth = 0;
  await readXml(zip.read(part), {
    open(name) {
      if (name === "si") text = "";
      else if (name === "rPh") phoneticDepth += 1;
      else if (name === "t") isText = phoneticDepth === 0;
    },
    text(value) {
      if (isText && text !== undefined) text += value;
    },
    close(name) {
      if (name === "si") strings.push(readEscapes(text ?? ""));
      else if (name === "rPh") phoneticDepth -= 1;
      else if (name === "t") isText = false;
    },
  });
  return strings;
}

function sheetHandlers(output, toText) {
  let row = [];
  let nextColumn = 0;
  let cell;
  /** Where the text of an element goes. */
  let field;
  let isPhonetic = false;
  return {
    open(name, attributes) {
      if (name === "row") {
        row = [];
        nextColumn = 0;
      } else if (name === "c") {
        // A cell need not say where it stands: then it follows the one before, which may be empty.
        const column = columnOf(attribute(attributes, "r")) ?? nextColumn;
        nextColumn = column + 1;
        cell = { column, type: attribute(attributes, "t"), style: attribute(attributes, "s"), value: "", formula: "" };
      } else if (name === "rPh") isPhonetic = true;
      else if (!isPhonetic) field = CELL_FIELDS.get(name) ?? field;
    },
    text(text) {
      if (field && cell) cell[field] += text;
    },
    close(name) {
      if (CELL_FIELDS.has(name)) field = undefined;
      else if (name === "rPh") isPhonetic = false;
      else if (name === "c" && cell) {
        const text = cell.value === "" ? formulaText(cell) : toText(cell);
        if (text !== "" && cell.column < MAX_COLUMNS) row[cell.column] = text;
        cell = undefined;
      } else if (name === "row" && row.length > 0) output.write(`${Array.from(row, quoteCell).join(",")}\n`);
    },
  };
}

const CELL_FIELDS = new Map([
  ["v", "value"],
  ["t", "value"],
  ["f", "formula"],
]);

/** A formula whose value is an empty text says so; any other without a value was never calculated. */
function formulaText({ type, formula }) {
  return formula === "" || type === "str" ? "" : `=${formula}`;
}

/** "C7" is the third column, 2. */
function columnOf(reference = "") {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (!letters) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function cellText({ type, style, value }, strings, formats, is1904) {
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value.trim() === "1" ? "TRUE" : "FALSE";
  if (type !== undefined && type !== "n") return readEscapes(value);
  const format = formatOf(formats, style);
  if (format === "duration") return serialToDuration(value);
  if (format === "percent") return toPercent(value);
  if (format === "date") return serialToDate(Number(value), is1904);
  return format === undefined ? shortNumber(value) : toMoney(shortNumber(value), format);
}

/** Characters that XML cannot hold, and the carriage returns of Windows, stand as `_x000D_`. */
function readEscapes(text) {
  if (!text.includes("_x")) return text;
  return text
    .replace(/_x([0-9a-f]{4})_/gi, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\r\n?/g, "\n")
    .replace(/[\x00-\x08\x0b-\x1f]/g, "")
    .toWellFormed();
}

/** 0.1 + 0.2 is saved with all its digits; people see fewer. */
function shortNumber(value) {
  const number = Number(value);
  return value.length > 15 && Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value;
}

function quoteCell(value = "") {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

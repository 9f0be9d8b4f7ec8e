import { findPart, readRelations } from "./relations.mjs";
import { isDateFormat, readDateFormats, serialToDate } from "./xlsx-dates.mjs";
import { attribute, readXml, relationId } from "./xml.mjs";

/** Columns that a sheet can have. */
const MAX_COLUMNS = 16_384;

/** The sheets of a workbook as CSV, each a section; formulas as the values that were saved with them. */
export async function readXlsx(zip, part, output) {
  const relations = await readRelations(zip, part);
  const workbook = await readWorkbook(zip, part);
  const strings = await readSharedStrings(zip, findPart(zip, relations, "sharedStrings"));
  const formats = await readDateFormats(zip, findPart(zip, relations, "styles"));
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
      if (name === "si") strings.push(text ?? "");
      else if (name === "rPh") phoneticDepth -= 1;
      else if (name === "t") isText = false;
    },
  });
  return strings;
}

function sheetHandlers(output, toText) {
  let row = [];
  let cell;
  let isValue = false;
  return {
    open(name, attributes) {
      if (name === "row") row = [];
      else if (name === "c") {
        const column = columnOf(attribute(attributes, "r")) ?? row.length;
        cell = { column, type: attribute(attributes, "t"), style: attribute(attributes, "s"), value: "" };
      } else if (name === "v" || name === "t") isValue = true;
    },
    text(text) {
      if (isValue && cell) cell.value += text;
    },
    close(name) {
      if (name === "v" || name === "t") isValue = false;
      else if (name === "c" && cell) {
        if (cell.value !== "" && cell.column < MAX_COLUMNS) row[cell.column] = toText(cell);
        cell = undefined;
      } else if (name === "row" && row.length > 0) output.write(`${Array.from(row, quoteCell).join(",")}\n`);
    },
  };
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
  if (type === undefined || type === "n") {
    return isDateFormat(formats, style) ? serialToDate(Number(value), is1904) : shortNumber(value);
  }
  return value;
}

/** 0.1 + 0.2 is saved with all its digits; people see fewer. */
function shortNumber(value) {
  const number = Number(value);
  return value.length > 15 && Number.isFinite(number) ? String(Number(number.toPrecision(15))) : value;
}

function quoteCell(value = "") {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

import { findPart, readRelations } from "../relations.mjs";
import { appendRun } from "../run-text.mjs";
import { Unreadable } from "../unreadable.mjs";
import { attribute, readAside, readXml, relationId } from "../xml.mjs";
import { sheetTitle, withComments, writeUnder } from "./sheet-row.mjs";
import { readComments, readPersons } from "./xlsx-comments.mjs";
import { showIsoDate } from "./xlsx-dates.mjs";
import { readBoxes } from "./xlsx-drawings.mjs";
import { formatAs, formatOf, readFormats } from "./xlsx-formats.mjs";
import { readLook, sheetHandlers } from "./xlsx-sheet.mjs";

/**
 * The sheets of a workbook as CSV, each a section; formulas as the values that were saved with them, and as themselves where
 * a program that does not calculate saved none. Comments stand in their cells; what lies on top of the cells or is printed at
 * the edge of each page, behind them.
 */
export async function readXlsx(zip, part, output) {
  const relations = await readRelations(zip, part);
  const workbook = await readWorkbook(zip, part);
  const strings = await readSharedStrings(zip, findPart(zip, relations, "sharedStrings"));
  const formats = await readFormats(zip, findPart(zip, relations, "styles"));
  const persons = await readPersons(zip, findPart(zip, relations, "person"));
  const skipped = { pictures: countNames(zip, /^xl\/media\//), charts: countNames(zip, /^xl\/charts\/chart[^/]*$/) };
  const sheets = partsOf(workbook.sheets, relations);
  for (const { name, target, isHidden } of sheets) {
    if (output.isFull) break;
    output.begin(sheetTitle(name, isHidden));
    const sheetRelations = await readRelations(zip, target, readAside);
    const comments = await readComments(zip, sheetRelations, persons);
    const toText = (cell) =>
      withComments(cellText(cell, strings, formats, workbook.is1904), takeComments(comments, cell.reference));
    const further = { controls: new Map(), margins: [], hiddenColumns: [] };
    await readXml(zip.read(target), sheetHandlers(output, toText, further), () => output.isFull);
    writeUnder(output, "[Hidden columns]", further.hiddenColumns);
    // Of cells without a value.
    writeUnder(
      output,
      "[Comments]",
      [...comments].map(([cell, texts]) => `${cell}: ${texts.join("; ")}`),
    );
    writeUnder(output, "[Boxes]", await readBoxes(zip, sheetRelations, further.controls));
    writeUnder(output, "[Header and footer]", further.margins);
  }
  return { ...skipped, sectionCount: sheets.length };
}

/**
 * The sheets with the parts that hold them: one that consists of a chart is none.
 * @throws {Unreadable} where a sheet leads to no part: an answer without it would be about another workbook
 */
function partsOf(sheets, relations) {
  return sheets.flatMap(({ id, ...sheet }) => {
    const relation = relations.get(id);
    if (!relation) throw new Unreadable("broken", "a sheet leads to no part");
    return relation.type === "worksheet" ? [{ ...sheet, target: relation.target }] : [];
  });
}

function takeComments(comments, reference) {
  const found = comments.get(reference);
  comments.delete(reference);
  return found;
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
        name: attribute(attributes, "name") ?? "",
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
  let run = {};
  await readXml(zip.read(part), {
    open(name, attributes) {
      if (name === "si") text = "";
      else if (name === "rPh") phoneticDepth += 1;
      else if (name === "r" || name === "rPr") run = {};
      else if (name === "t") isText = phoneticDepth === 0;
      else readLook(run, name, attributes);
    },
    text(value) {
      if (isText && text !== undefined) text = appendRun(text, value, run);
    },
    close(name) {
      if (name === "si") strings.push(readEscapes(text ?? ""));
      else if (name === "r") run = {};
      else if (name === "rPh") phoneticDepth -= 1;
      else if (name === "t") isText = false;
    },
  });
  return strings;
}

/** A formula whose value is an empty text says so; any other without a value was never calculated. */
function formulaText({ type, formula }) {
  return formula === "" || type === "str" ? "" : `=${formula}`;
}

function cellText(cell, strings, formats, is1904) {
  const { kind, isStruck } = formatOf(formats, cell.style);
  const text = cell.value === "" ? formulaText(cell) : valueText(cell, kind, strings, is1904);
  return appendRun("", text, { isStruck });
}

function valueText({ type, value }, kind, strings, is1904) {
  if (type === "s") return sharedString(strings, value);
  if (type === "b") return value.trim() === "1" ? "TRUE" : "FALSE";
  if (type === "d") return showIsoDate(value.trim());
  if (type !== undefined && type !== "n") return readEscapes(value);
  return formatAs(value, kind, is1904);
}

/** @throws {Unreadable} where it is not there, as without the part that holds all of them: cells with words would pass for empty */
function sharedString(strings, index) {
  const text = strings[Number(index)];
  if (text === undefined) throw new Unreadable("broken", "a text of a cell is missing");
  return text;
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

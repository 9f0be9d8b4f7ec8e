import * as XLSX from "@e965/xlsx";
import * as codePages from "@e965/xlsx/dist/cpexcel.full.mjs";
import { readHidden } from "../opendocument/ods-hidden.mjs";
import { Unreadable } from "../unreadable.mjs";
import { lettersOf, MAX_COLUMNS, rowText, sheetTitle, signComment, withComments, writeUnder } from "./sheet-row.mjs";
import { formatAs, kindOfCode } from "./xlsx-formats.mjs";

// Of workbooks from before Unicode.
XLSX.set_cptable(codePages);

/** Formulas are left out: the values that were saved with them count. Hidden rows and columns come with the styles. */
const OPTIONS = {
  type: "buffer",
  dense: true,
  cellFormula: false,
  cellHTML: false,
  cellText: false,
  cellNF: true,
  cellStyles: true,
};

/**
 * The sheets of a workbook in a format other than XLSX: XLS, XLSB, ODS, and the XML of Excel 2003. As read-xlsx.mjs writes them,
 * with comments and what is hidden, without boxes, headers and footers.
 * @param [zip] when it is an archive
 */
export async function readSheets(bytes, output, zip) {
  const parts = zip && (await unpack(zip));
  const workbook = parse(() =>
    parts
      ? XLSX.parse_zip(parts, OPTIONS)
      : XLSX.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), OPTIONS),
  );
  const { Sheets: about = [], WBProps: { date1904 = false } = {} } = workbook.Workbook ?? {};
  // Charts and macros have sheets of their own.
  const names = workbook.SheetNames.filter((name) => workbook.Sheets[name] && !workbook.Sheets[name]["!type"]);
  const toText = cellReader(date1904);
  const hidden = workbook.bookType === "ods" && zip ? await readHidden(zip) : new Map();
  for (const name of names) {
    if (output.isFull) break;
    const found = hidden.get(name);
    output.begin(sheetTitle(name, found?.isHidden || about[workbook.SheetNames.indexOf(name)]?.Hidden > 0));
    writeSheet(workbook.Sheets[name], output, toText, found);
  }
  return { pictures: countNames(zip, PICTURE), charts: countNames(zip, CHART), sectionCount: names.length };
}

/** An archive as the library holds one. What the library itself unpacks with goes round for ever in some that are damaged. */
async function unpack(zip) {
  const FullPaths = zip.names().filter((name) => PART.test(name));
  const FileIndex = [];
  for (const name of FullPaths) {
    FileIndex.push({ name, type: FILE, content: await zip.readBytes(name, Number.POSITIVE_INFINITY) });
  }
  return { FullPaths, FileIndex };
}

/** Of pictures and films only their names count. */
const PART = /\.(xml|bin|rels)$|^mimetype$/i;
/** As the library numbers what is no folder. */
const FILE = 2;

function parse(read) {
  try {
    return read();
  } catch (error) {
    throw new Unreadable(/password|encrypt/i.test(error?.message) ? "encrypted" : "broken", String(error));
  }
}

function writeSheet(sheet, output, toText, found) {
  const rows = hide(sheet["!rows"], found?.rows, sheet["!data"]?.length ?? 0);
  const columns = hide(sheet["!cols"], found?.columns, MAX_COLUMNS);
  for (const [index, row] of (sheet["!data"] ?? []).entries()) {
    if (output.isFull) return;
    const cells = (row ?? []).slice(0, MAX_COLUMNS).map((cell) => cell && toText(cell));
    while (cells.length > 0 && !cells.at(-1)) cells.pop();
    if (cells.length > 0) output.write(rowText(cells, rows[index]?.hidden));
  }
  writeUnder(output, "[Hidden columns]", hiddenColumns(columns));
}

/** Looks of rows or columns, with those hidden that the ranges name. */
function hide(looks = [], ranges = [], most = 0) {
  for (const [from, to] of ranges) {
    for (let index = from; index < Math.min(to, most); index++) looks[index] = { ...looks[index], hidden: true };
  }
  return looks;
}

/** A cell's text as a function of the cell; formats are looked at once each. */
function cellReader(is1904) {
  const kinds = new Map();
  const kindOf = (code) => {
    if (!kinds.has(code)) kinds.set(code, kindOfCode(code));
    return kinds.get(code);
  };
  return ({ t, v, z = "", c }) => {
    // Damaged workbooks have cells of a kind and without a value.
    const hasValue = v !== undefined && v !== null;
    const text = hasValue ? valueText(t, v, kindOf(z), is1904) : "";
    return withComments(text, c && commentsOf(c));
  };
}

function valueText(type, value, kind, is1904) {
  if (type === "n") return formatAs(String(value), kind, is1904);
  if (type === "b") return value ? "TRUE" : "FALSE";
  if (type === "e") return ERRORS.get(value) ?? "#ERROR!";
  if (type !== "s") return "";
  const text = String(value).replace(/\r\n?/g, "\n");
  return text.replace(/[\x00-\x08\x0b-\x1f]/g, "").toWellFormed();
}

/** What Excel shows for the numbers of its errors. */
const ERRORS = new Map([
  [0x00, "#NULL!"],
  [0x07, "#DIV/0!"],
  [0x0f, "#VALUE!"],
  [0x17, "#REF!"],
  [0x1d, "#NAME?"],
  [0x24, "#NUM!"],
  [0x2a, "#N/A"],
]);

function commentsOf(comments) {
  return comments.map(({ a, t = "" }) => signComment(a, t.replace(/\r\n?/g, "\n").trim()));
}

/** By their letters, first and last of a row of them. */
function hiddenColumns(columns) {
  const ranges = [];
  for (let from = 0; from < columns.length; from++) {
    if (!columns[from]?.hidden) continue;
    let to = from;
    while (columns[to + 1]?.hidden) to += 1;
    ranges.push(from === to ? lettersOf(from + 1) : `${lettersOf(from + 1)}-${lettersOf(to + 1)}`);
    from = to;
  }
  return ranges;
}

const PICTURE = /^(xl\/media|Pictures)\/./;
const CHART = /^xl\/charts\/chart[^/]*$/;

function countNames(zip, pattern) {
  return zip?.names().filter((name) => pattern.test(name)).length ?? 0;
}

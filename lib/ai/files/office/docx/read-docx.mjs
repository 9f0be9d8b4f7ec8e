import { readChart } from "../charts.mjs";
import { MarkdownWriter } from "../output.mjs";
import { findPart, findParts, readRelations } from "../relations.mjs";
import { appendRun } from "../run-text.mjs";
import { attribute, readXml, toNumber } from "../xml.mjs";
import { markOf, openInParagraph } from "./docx-inline.mjs";
import { Inserts } from "./docx-inserts.mjs";
import { readNumbering } from "./docx-numbering.mjs";
import { readStyles } from "./docx-styles.mjs";

/** The text of a Word document: its body, then the values of its charts, the words of its diagrams (SmartArt), notes, comments, headers and footers under headings of their own. */
export async function readDocx(zip, part, output, isInside) {
  const relations = await readRelations(zip, part);
  const styles = await readStyles(zip, findPart(zip, relations, "styles"));
  const numbering = await readNumbering(zip, findPart(zip, relations, "numbering"));
  const skipped = { pictures: 0, charts: 0, embeddedFiles: 0 };
  const writer = new MarkdownWriter(output);
  writer.begin();
  const notes = new Map();
  const inserts = new Inserts(zip, isInside ? new Map() : relations);
  const read = (name, own) =>
    readXml(zip.read(name), bodyHandlers(writer, styles, numbering, skipped, notes, own), () => output.isFull);
  await read(part, inserts);
  for (const name of findParts(zip, relations, "chart")) {
    if (!output.isFull && (await readChart(zip, name, writer, () => output.isFull))) skipped.charts -= 1;
  }
  for (const [type, title] of FURTHER_PARTS) {
    writer.announce(title);
    for (const name of findParts(zip, relations, type)) {
      if (!output.isFull) await read(name);
    }
  }
  return { ...skipped, inserts };
}

const FURTHER_PARTS = [
  ["diagramData", "[Diagrams]"],
  ["footnotes", "[Footnotes]"],
  ["endnotes", "[Endnotes]"],
  ["comments", "[Comments]"],
  ["header", "[Headers]"],
  ["footer", "[Footers]"],
];

/**
 * Elements that are not the document's: what was moved away, the second telling of a drawing, how a word is pronounced, and
 * what properties were before a tracked change.
 */
const SKIPPED = new Set(["Fallback", "moveFrom", "del", "rt", "pPrChange", "rPrChange", "trPrChange", "tcPrChange"]);
/** Of a paragraph's end or of a row, in their properties: it is no longer there. */
const GONE = new Set(["del", "moveFrom"]);
const NOTE_BODIES = new Map([
  ["footnote", "^"],
  ["endnote", "^e"],
  ["comment", "^c"],
]);
function bodyHandlers(writer, styles, numbering, skipped, notes, inserts) {
  const state = {
    notes,
    inserts,
    paragraphs: [],
    /** Text of paragraphs whose ends are gone, before the next one. */
    joined: "",
    runs: [],
    skipDepth: 0,
    propertyDepth: 0,
    isRowProperty: false,
    isText: false,
    spans: [],
    note: "",
    field: undefined,
    math: undefined,
  };
  return {
    open(name, attributes) {
      if (state.skipDepth === 0 && GONE.has(name)) markGone(state, writer);
      if (state.skipDepth > 0 || SKIPPED.has(name)) state.skipDepth += 1;
      else if (state.math) state.math.open(name, attributes);
      else if (state.field) state.field.open(name, attributes);
      else openElement(state, writer, skipped, name, attributes);
    },
    text(text) {
      const paragraph = state.paragraphs.at(-1);
      if (state.skipDepth > 0 || !paragraph) return;
      if (state.math) state.math.text(text);
      else if (state.isText) paragraph.text = appendRun(paragraph.text, text, state.runs.at(-1));
    },
    close(name) {
      if (state.skipDepth > 0) state.skipDepth -= 1;
      else if (state.math) closeMath(state, name);
      else closeElement(state, writer, styles, numbering, name);
    },
  };
}

function markGone(state, writer) {
  if (state.isRowProperty) writer.dropRow();
  else if (state.propertyDepth > 0 && state.paragraphs.length > 0) state.paragraphs.at(-1).isEndGone = true;
}

function closeMath(state, name) {
  const formula = state.math.close(name);
  if (formula === undefined) return;
  state.math = undefined;
  const paragraph = state.paragraphs.at(-1);
  if (paragraph) paragraph.text += formula;
}

function openElement(state, writer, skipped, name, attributes) {
  const paragraph = state.paragraphs.at(-1);
  if (name === "p") state.paragraphs.push({ text: "" });
  else if (name === "r") state.runs.push({});
  else if (name === "t") state.isText = true;
  else if (NOTE_BODIES.has(name)) {
    const author = attribute(attributes, "author");
    state.note = `[${markOf(state.notes, NOTE_BODIES.get(name), attributes)}]: ${author ? `${author}: ` : ""}`;
  } else if (name === "pPr") state.propertyDepth += 1;
  else if (openTablePart(state, writer, name, attributes)) return;
  else if (name === "blip" || name === "imagedata") skipped.pictures += 1;
  else if (name === "chart") skipped.charts += 1;
  else if (name === "OLEObject") skipped.embeddedFiles += 1;
  else if (name === "altChunk") openInsert(state, writer, skipped, attributes);
  else if (!paragraph) return;
  else if (state.propertyDepth > 0) readProperty(paragraph, name, attributes);
  else openInParagraph(state, paragraph, name, attributes);
}

function openInsert({ inserts }, writer, skipped, attributes) {
  const mark = inserts?.markOf(attributes);
  if (mark === undefined) skipped.embeddedFiles += 1;
  else writer.paragraph(mark);
}

/** @returns {boolean} whether it is a part of a table */
function openTablePart(state, writer, name, attributes) {
  if (name === "tbl") writer.openTable();
  else if (name === "tr") writer.openRow();
  else if (name === "trPr") state.isRowProperty = true;
  else if (name === "gridBefore") {
    const columns = toNumber(attribute(attributes, "val"), 0, 100);
    // The row begins further right.
    if (columns > 0) {
      writer.openCell();
      writer.closeCell(columns);
    }
  } else if (name === "tc") {
    state.spans.push(1);
    writer.openCell();
  } else if (name === "gridSpan") state.spans[state.spans.length - 1] = toNumber(attribute(attributes, "val"), 1, 100);
  else return false;
  return true;
}

function readProperty(paragraph, name, attributes) {
  const value = attribute(attributes, "val");
  if (name === "pStyle") paragraph.style = value;
  else if (name === "numId") paragraph.numId = value;
  else if (name === "ilvl") paragraph.level = toNumber(value, 0, 8);
  else if (name === "outlineLvl") paragraph.heading = toNumber(value, 9, 9) + 1;
}

function closeElement(state, writer, styles, numbering, name) {
  if (name === "t") state.isText = false;
  else if (name === "r") state.runs.pop();
  else if (name === "pPr") state.propertyDepth -= 1;
  else if (name === "trPr") state.isRowProperty = false;
  else if (ENDS.has(name)) {
    // The next paragraph is not in it.
    writer.paragraph(takeJoined(state));
    if (name === "tc") writer.closeCell(state.spans.pop());
  } else if (name === "tr") writer.closeRow();
  else if (name === "tbl") writer.closeTable();
  else if (name === "ffData") {
    const paragraph = state.paragraphs.at(-1);
    if (paragraph && state.field) paragraph.text += state.field;
    state.field = undefined;
  } else if (name === "p") closeParagraph(state, writer, styles, numbering);
}

const ENDS = new Set(["tc", "body", "footnote", "endnote", "comment", "hdr", "ftr"]);

function closeParagraph(state, writer, styles, numbering) {
  const paragraph = state.paragraphs.pop();
  if (!paragraph) return;
  // One whose end is gone belongs to the next one, which has the number.
  if (paragraph.isEndGone && state.paragraphs.length === 0) {
    state.joined += paragraph.text;
    return;
  }
  // Those without text count too.
  const { number, ...manner } = mannerOf(paragraph, styles, numbering);
  const text = (state.paragraphs.length === 0 ? takeJoined(state) + paragraph.text : paragraph.text).trimStart();
  if (text === "" && number === undefined && manner.list === undefined) return;
  writer.paragraph(`${state.note}${number ? `${number} ` : ""}${text}`, manner);
  // The first paragraph of a note names it, as the text does where it stands.
  state.note = "";
}

function takeJoined(state) {
  const { joined } = state;
  state.joined = "";
  return joined;
}

function mannerOf(paragraph, styles, numbering) {
  const style = styles.find(paragraph.style);
  const numId = paragraph.numId ?? style.numId;
  const level = paragraph.level ?? style.level ?? 0;
  // "0" takes a paragraph out of the list of its style.
  const isListed = numId !== undefined && numId !== "0";
  const number = isListed ? numbering.nextNumber(numId, level) : undefined;
  const heading = paragraph.heading ?? style.heading;
  if (heading && heading <= 9) return { heading, number };
  return isListed ? { list: { level, mark: number ?? "-" } } : {};
}

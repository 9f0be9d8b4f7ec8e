import { readChart } from "./charts.mjs";
import { MathText } from "./math.mjs";
import { writeNumber } from "./number-formats.mjs";
import { MarkdownWriter } from "./output.mjs";
import { readAuthors, readComments } from "./pptx-comments.mjs";
import { findPart, findParts, readRelations } from "./relations.mjs";
import { appendRun } from "./run-text.mjs";
import { Unreadable } from "./unreadable.mjs";
import { attribute, readXml, relationId, toNumber } from "./xml.mjs";

/** The slides of a presentation in their order, each a section, with the words of its diagrams (SmartArt), the values of its charts, the speaker's notes and comments. */
export async function readPptx(zip, part, output) {
  const relations = await readRelations(zip, part);
  const slides = await readSlideList(zip, part, relations);
  const skipped = { pictures: 0, charts: 0, embeddedFiles: 0, sectionCount: slides.length };
  const writer = new MarkdownWriter(output);
  const authors = await readAuthors(zip, relations);
  for (const slide of slides) {
    if (output.isFull) break;
    writer.begin();
    const slideRelations = await readRelations(zip, slide);
    for (const name of [slide, ...findParts(zip, slideRelations, "diagramData")]) {
      if (output.isFull) break;
      await readXml(zip.read(name), slideHandlers(writer, skipped, { isNotes: false }), () => output.isFull);
    }
    for (const name of findParts(zip, slideRelations, "chart")) {
      if (!output.isFull && (await readChart(zip, name, writer, () => output.isFull))) skipped.charts -= 1;
    }
    const notes = findPart(zip, slideRelations, "notesSlide");
    if (notes) await readNotes(zip, notes, writer, output);
    const comments = await readComments(zip, slideRelations, authors);
    if (comments.length > 0) writer.paragraph(`[Comments]\n${comments.join("\n")}`);
  }
  return skipped;
}

/**
 * The parts of the slides in their order.
 * @throws {Unreadable} where a slide leads to no part: an answer without it would be about another presentation
 */
export async function readSlideList(zip, part, relations) {
  const slides = [];
  await readXml(zip.read(part), {
    open(name, attributes) {
      if (name !== "sldId") return;
      const relation = relations.get(relationId(attributes));
      if (!relation) throw new Unreadable("broken", "a slide leads to no part");
      if (relation.type === "slide") slides.push(relation.target);
    },
  });
  return slides;
}

async function readNotes(zip, part, writer, output) {
  const notes = [];
  const collector = { ...NO_TABLES, paragraph: (text) => void (text.trim() !== "" && notes.push(text.trim())) };
  await readXml(zip.read(part), slideHandlers(collector, {}, { isNotes: true }), () => output.isFull);
  if (notes.length > 0) writer.paragraph(`[Notes]\n${notes.join("\n")}`);
}

const nothing = () => {};
const NO_TABLES = {
  openTable: nothing,
  openRow: nothing,
  openCell: nothing,
  closeCell: nothing,
  closeRow: nothing,
  closeTable: nothing,
};

/** Fields that stand on every slide. */
const REPEATED = new Set(["dt", "ftr", "hdr", "sldNum", "sldImg"]);
const TITLES = new Set(["title", "ctrTitle"]);

function slideHandlers(writer, skipped, { isNotes }) {
  const state = {
    placeholder: undefined,
    paragraph: undefined,
    isText: false,
    skipDepth: 0,
    span: 1,
    run: {},
    math: undefined,
    /** How far the numbers of the shape's list have come, by level. */
    counts: [],
  };
  return {
    open(name, attributes) {
      if (state.skipDepth > 0 || name === "Fallback") state.skipDepth += 1;
      else if (state.math) state.math.open(name, attributes);
      else if (state.paragraph) openInParagraph(state, name, attributes);
      else openElement(state, writer, skipped, name, attributes);
    },
    text(text) {
      if (state.skipDepth > 0 || !state.paragraph) return;
      if (state.math) state.math.text(text);
      else if (state.isText) state.paragraph.text = appendRun(state.paragraph.text, text, state.run);
    },
    close(name) {
      if (state.skipDepth > 0) state.skipDepth -= 1;
      else if (state.math) closeMath(state, name);
      else closeElement(state, writer, isNotes, name);
    },
  };
}

function closeMath(state, name) {
  const formula = state.math.close(name);
  if (formula === undefined) return;
  state.math = undefined;
  state.paragraph.text += formula;
}

function openInParagraph(state, name, attributes) {
  const { paragraph } = state;
  if (name === "r" || name === "fld") state.run = {};
  else if (name === "rPr") {
    state.run.isStruck = /^(sng|dbl)Strike$/.test(attribute(attributes, "strike") ?? "");
    state.run.isRaised = Number.parseInt(attribute(attributes, "baseline") ?? "0", 10) > 0;
  } else if (name === "pPr") paragraph.level = toNumber(attribute(attributes, "lvl"), 0, 8);
  else if (name === "buNone") paragraph.isBulleted = false;
  else if (name === "buChar") paragraph.isBulleted = true;
  else if (name === "buAutoNum") {
    paragraph.isBulleted = true;
    paragraph.type = attribute(attributes, "type") ?? "arabicPeriod";
    paragraph.start = toNumber(attribute(attributes, "startAt"), 1, MAX_NUMBER);
  } else if (name === "t") state.isText = true;
  else if (name === "br") paragraph.text += "\n";
  else if (name === "oMath") {
    state.math = new MathText();
    state.math.open(name, attributes);
  }
}

const MAX_NUMBER = 1_000_000;

function openElement(state, writer, skipped, name, attributes) {
  if (name === "sp" || name === "graphicFrame") state.placeholder = undefined;
  else if (name === "ph") state.placeholder = attribute(attributes, "type") ?? "body";
  else if (name === "txBody") state.counts = [];
  else if (name === "p") {
    state.paragraph = { text: "", level: 0, isBulleted: state.placeholder === "body" };
    state.run = {};
  } else if (name === "tbl") writer.openTable();
  else if (name === "tr") writer.openRow();
  else if (name === "tc") {
    state.span = toNumber(attribute(attributes, "gridSpan"), 1, 100);
    // What a merged cell covers is counted by its span.
    state.isCovered = attribute(attributes, "hMerge") === "1";
    writer.openCell();
  } else if (name === "sld" && attribute(attributes, "show") === "0") writer.paragraph("[Hidden slide]");
  else if (name === "pic") skipped.pictures += 1;
  else if (name === "chart") skipped.charts += 1;
  else if (name === "oleObj") skipped.embeddedFiles += 1;
}

function closeElement(state, writer, isNotes, name) {
  if (name === "t") state.isText = false;
  else if (name === "tc") {
    if (!state.isCovered) writer.closeCell(state.span);
  } else if (name === "tr") writer.closeRow();
  else if (name === "tbl") writer.closeTable();
  else if (name === "p" && state.paragraph) {
    const { paragraph } = state;
    state.paragraph = undefined;
    if (REPEATED.has(state.placeholder) || paragraph.text.trim() === "") return;
    if (TITLES.has(state.placeholder) && !isNotes) writer.paragraph(paragraph.text, { heading: 1 });
    else {
      const mark = countParagraph(state.counts, paragraph);
      writer.paragraph(paragraph.text, mark ? { list: { level: paragraph.level, mark } } : {});
    }
  }
}

/** Numbers go on beside deeper ones, and begin anew behind a paragraph of their level, or above it, without one. */
function countParagraph(counts, { level, isBulleted, type, start }) {
  counts.length = Math.min(counts.length, level + 1);
  if (!type) {
    counts.length = Math.min(counts.length, level);
    return isBulleted ? "-" : undefined;
  }
  const before = counts[level];
  const isSame = before?.type === type && before.start === start;
  const count = isSame ? before.count + 1 : start;
  counts[level] = { type, start, count };
  const format = FORMATS.find(([name]) => type.startsWith(name))?.[1];
  const number = writeNumber(count, format);
  if (type.endsWith("ParenBoth")) return `(${number})`;
  return type.endsWith("ParenR") ? `${number})` : type.endsWith("Plain") ? number : `${number}.`;
}

const FORMATS = [
  ["alphaLc", "lowerLetter"],
  ["alphaUc", "upperLetter"],
  ["romanLc", "lowerRoman"],
  ["romanUc", "upperRoman"],
];

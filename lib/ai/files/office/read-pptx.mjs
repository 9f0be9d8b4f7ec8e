import { MarkdownWriter } from "./output.mjs";
import { findPart, findParts, readRelations } from "./relations.mjs";
import { attribute, readXml, relationId, toNumber } from "./xml.mjs";

/** The slides of a presentation in their order, each a section, with the words of its diagrams (SmartArt) and the speaker's notes. */
export async function readPptx(zip, part, output) {
  const relations = await readRelations(zip, part);
  const slides = await readSlideList(zip, part, relations);
  const skipped = { pictures: 0, charts: 0, embeddedFiles: 0, sectionCount: slides.length };
  const writer = new MarkdownWriter(output);
  for (const slide of slides) {
    if (output.isFull) break;
    writer.begin();
    const slideRelations = await readRelations(zip, slide);
    for (const name of [slide, ...findParts(zip, slideRelations, "diagramData")]) {
      if (output.isFull) break;
      await readXml(zip.read(name), slideHandlers(writer, skipped, { isNotes: false }), () => output.isFull);
    }
    const notes = findPart(zip, slideRelations, "notesSlide");
    if (notes) await readNotes(zip, notes, writer, output);
  }
  return skipped;
}

async function readSlideList(zip, part, relations) {
  const slides = [];
  await readXml(zip.read(part), {
    open(name, attributes) {
      const relation = name === "sldId" ? relations.get(relationId(attributes)) : undefined;
      if (relation?.type === "slide") slides.push(relation.target);
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
  const state = { placeholder: undefined, paragraph: undefined, isText: false, skipDepth: 0, span: 1 };
  return {
    open(name, attributes) {
      if (state.skipDepth > 0 || name === "Fallback") state.skipDepth += 1;
      else openElement(state, writer, skipped, name, attributes);
    },
    text(text) {
      if (state.isText && state.paragraph && state.skipDepth === 0) state.paragraph.text += text;
    },
    close(name) {
      if (state.skipDepth > 0) state.skipDepth -= 1;
      else closeElement(state, writer, isNotes, name);
    },
  };
}

function openElement(state, writer, skipped, name, attributes) {
  if (name === "sp" || name === "graphicFrame") state.placeholder = undefined;
  else if (name === "ph") state.placeholder = attribute(attributes, "type") ?? "body";
  else if (name === "p") state.paragraph = { text: "", level: 0, isBulleted: state.placeholder === "body" };
  else if (name === "pPr" && state.paragraph) state.paragraph.level = toNumber(attribute(attributes, "lvl"), 0, 8);
  else if (name === "buNone" && state.paragraph) state.paragraph.isBulleted = false;
  else if ((name === "buChar" || name === "buAutoNum") && state.paragraph) state.paragraph.isBulleted = true;
  else if (name === "t") state.isText = true;
  else if (name === "br" && state.paragraph) state.paragraph.text += "\n";
  else if (name === "tbl") writer.openTable();
  else if (name === "tr") writer.openRow();
  else if (name === "tc") {
    state.span = toNumber(attribute(attributes, "gridSpan"), 1, 100);
    // What a merged cell covers is counted by its span.
    state.isCovered = attribute(attributes, "hMerge") === "1";
    writer.openCell();
  } else if (name === "pic") skipped.pictures += 1;
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
    const { text, level, isBulleted } = state.paragraph;
    state.paragraph = undefined;
    if (REPEATED.has(state.placeholder)) return;
    if (TITLES.has(state.placeholder) && !isNotes) writer.paragraph(text, { heading: 1 });
    else writer.paragraph(text, isBulleted ? { list: { level, mark: "-" } } : {});
  }
}

import { MarkdownWriter } from "../output.mjs";
import { deepRecords, findRecord, PptFile, records, TYPES } from "./ppt-file.mjs";
import { readShapes } from "./ppt-shapes.mjs";
import { readTexts, TEXT_KINDS } from "./ppt-texts.mjs";

const SLIDES = 0;
const NOTES = 2;
const COMMENT = 0x2ee0;
const WORDS = 0x0fba;
const AUTHOR = 0;
const COMMENT_TEXT = 1;
const HIDDEN = 4;

/**
 * The slides of a presentation of PowerPoint 97 to 2003, as read-pptx.mjs writes those of its followers: each a section, with its
 * title as a heading, tables, the speaker's notes and comments.
 */
export async function readPpt(stream, user, output) {
  const file = new PptFile(stream, user);
  const document = file.document();
  const slides = readList(document, SLIDES);
  const notesById = new Map(readList(document, NOTES).map((notes) => [notes.id, notes]));
  const skipped = { pictures: 0, embeddedFiles: 0 };
  const writer = new MarkdownWriter(output);
  for (const { object, texts } of slides) {
    if (output.isFull) break;
    writer.begin();
    const slide = file.object(object)?.data ?? Buffer.alloc(0);
    if (isHidden(slide)) writer.paragraph("[Hidden slide]");
    const shapes = readShapes(slide, texts, skipped);
    for (const shape of shapes) writeShape(writer, shape);
    const notes = notesById.get(notesIdOf(slide));
    writeNotes(writer, notes && file.object(notes.object)?.data, notes?.texts ?? []);
    writeComments(writer, slide);
  }
  return { ...skipped, sectionCount: slides.length };
}

/** Slides or notes in their order: their object, their number, and the texts that stand here and not on them. */
function readList(document, which) {
  const found = [];
  for (const { type, instance, data } of records(document)) {
    if (type !== TYPES.list || instance !== which) continue;
    let from = 0;
    let at = 0;
    const close = (to) => {
      const last = found.at(-1);
      if (last && !last.texts) last.texts = readTexts(data.subarray(from, to));
    };
    for (const record of records(data)) {
      const end = at + 8 + record.data.length;
      if (record.type === TYPES.slidePersist && record.data.length >= 16) {
        close(at);
        from = end;
        found.push({ object: record.data.readUInt32LE(0), id: record.data.readUInt32LE(12) });
      }
      at = end;
    }
    close(data.length);
  }
  return found;
}

function notesIdOf(slide) {
  const atom = findRecord(slide, TYPES.slideAtom)?.data;
  return atom && atom.length >= 20 ? atom.readUInt32LE(16) : 0;
}

function isHidden(slide) {
  const show = findRecord(slide, TYPES.slideShow)?.data;
  return show !== undefined && show.length >= 12 && (show.readUInt16LE(10) & HIDDEN) !== 0;
}

const TITLES = new Set([TEXT_KINDS.title, TEXT_KINDS.centreTitle]);

function writeShape(writer, { rows, texts }) {
  if (rows) writeTable(writer, rows);
  for (const { kind, paragraphs } of texts ?? []) {
    for (const { text, level, isBulleted } of paragraphs) {
      if (text.trim() === "") continue;
      if (TITLES.has(kind)) writer.paragraph(text, { heading: 1 });
      else writer.paragraph(text, isBulleted ? { list: { level, mark: "-" } } : {});
    }
  }
}

function writeTable(writer, rows) {
  writer.openTable();
  for (const cells of rows) {
    writer.openRow();
    for (const texts of cells) {
      writer.openCell();
      for (const { paragraphs } of texts) for (const { text } of paragraphs) writer.paragraph(text);
      writer.closeCell(1);
    }
    writer.closeRow();
  }
  writer.closeTable();
}

function writeNotes(writer, notes, listed) {
  if (!notes) return;
  const texts = readShapes(notes, listed, {}).flatMap(({ texts: found = [] }) => found);
  const lines = texts
    .filter(({ kind }) => kind === TEXT_KINDS.notes)
    .flatMap(({ paragraphs }) => paragraphs.map(({ text }) => text.trim()));
  const said = lines.filter((line) => line !== "");
  if (said.length > 0) writer.paragraph(`[Notes]\n${said.join("\n")}`);
}

function writeComments(writer, slide) {
  const comments = [...deepRecords(slide, COMMENT)].map(({ data }) => {
    const words = new Map(
      [...records(data)].map((record) => [record.type === WORDS ? record.instance : -1, record.data]),
    );
    const wordsOf = (which) => words.get(which)?.toString("utf16le").trim() ?? "";
    return [wordsOf(AUTHOR), wordsOf(COMMENT_TEXT)].filter((part) => part !== "").join(": ");
  });
  const said = comments.filter((comment) => comment !== "");
  if (said.length > 0) writer.paragraph(`[Comments]\n${said.join("\n")}`);
}

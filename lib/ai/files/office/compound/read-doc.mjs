import { countNumbers, noDefinitions } from "../docx/docx-numbering.mjs";
import { FlatTables } from "../flat-tables.mjs";
import { MarkdownWriter } from "../output.mjs";
import { appendRun } from "../run-text.mjs";
import { BLOCKS, DocFile } from "./doc-file.mjs";
import { listOf, readDocStyles, readLists } from "./doc-lists.mjs";
import { isSet } from "./doc-sprms.mjs";
import { DocText } from "./doc-text.mjs";

const IN_TABLE = 0x2416;
const ROW_END = 0x2417;
const NOTE_BYTES = 2;
const COMMENT_BYTES = 30;
const COMMENT_AUTHOR_OFFSET = 20;

/**
 * The text of a document of Word 97 to 2003, as read-docx.mjs writes that of its followers: headings, lists with their numbers,
 * tables, notes and comments where they stand; what tracked changes took out is left out.
 * @param {Buffer} main its stream WordDocument
 * @param {Buffer} table the stream of that name that the first says is its own
 */
export async function readDoc(main, table, output) {
  const doc = new DocFile(main, table);
  const text = new DocText(doc);
  const skipped = { pictures: 0 };
  const writer = new MarkdownWriter(output);
  writer.begin();
  const look = { styleOf: readDocStyles(doc), numbering: readNumbers(doc) };
  const marks = readMarks(doc);
  const parts = doc.textParts();
  const write = (part, starts) => new PartWriter(writer, text, look, marks, starts, skipped).write(parts[part], output);
  write("body", new Map());
  for (const [part, title, block, kind] of FURTHER_PARTS) {
    writer.announce(title);
    write(part, kind ? readStarts(doc, parts[part][0], block, kind) : new Map());
  }
  return skipped;
}

const FURTHER_PARTS = [
  ["footnotes", "[Footnotes]", BLOCKS.footnotes, "^"],
  ["endnotes", "[Endnotes]", BLOCKS.endnotes, "^e"],
  ["comments", "[Comments]", BLOCKS.comments, "^c"],
  ["boxes", "[Boxes]"],
  ["headers", "[Headers and footers]"],
  ["headerBoxes", "[Headers and footers]"],
];

/** Without its lists a document still has its text. */
function readNumbers(doc) {
  try {
    return countNumbers(readLists(doc));
  } catch {
    return countNumbers(noDefinitions());
  }
}

/** What stands where the body refers to a note or a comment, by its place. */
function readMarks(doc) {
  const marks = new Map();
  for (const [block, bytes, kind] of [
    [BLOCKS.footnoteMarks, NOTE_BYTES, "^"],
    [BLOCKS.endnoteMarks, NOTE_BYTES, "^e"],
    [BLOCKS.commentMarks, COMMENT_BYTES, "^c"],
  ]) {
    const { places, data } = doc.places(block, bytes);
    for (const index of data.keys()) marks.set(places[index], `[${kind}${index + 1}]`);
  }
  return marks;
}

/** What stands before each note or comment, by the place where it begins. */
function readStarts(doc, from, block, kind) {
  const { places } = doc.places(block, 0);
  const { data } = doc.places(BLOCKS.commentMarks, COMMENT_BYTES);
  const authors = kind === "^c" ? readAuthors(doc.block(BLOCKS.commentAuthors)) : [];
  return new Map(
    places.map((place, index) => {
      const author = data[index] && authors[data[index].readUInt16LE(COMMENT_AUTHOR_OFFSET)];
      return [from + place, `[${kind}${index + 1}]: ${author ? `${author}: ` : ""}`];
    }),
  );
}

function readAuthors(block) {
  const names = [];
  for (let offset = 0; offset + 2 <= block.length; ) {
    const end = offset + 2 + block.readUInt16LE(offset) * 2;
    names.push(block.toString("utf16le", offset + 2, end));
    offset = end;
  }
  return names;
}

/** Characters that say something else than a letter. */
const CONTROL = /[\0-\x08\x0a-\x1f]/g;
const SIGNS = new Map([
  ["\x0b", "\n"],
  ["\x0e", "\n"],
  ["\x1e", "-"],
]);
const PICTURE = "\x01";
const FIELD = { begin: "\x13", result: "\x14", end: "\x15" };

/** Writes one part of the text: the body, or the notes. */
class PartWriter {
  #text = "";
  #start = 0;
  /** Of fields in each other, whether what stands now is an instruction. */
  #fields = [];

  constructor(writer, text, look, marks, starts, skipped) {
    Object.assign(this, { writer, text, look, marks, starts, skipped, tables: new FlatTables(writer) });
  }

  write([from, to], output) {
    this.#start = from;
    for (const run of this.text.runs(from, to)) {
      if (output.isFull) return;
      this.#takeRun(run);
    }
    if (this.#text.trim() !== "") this.#endParagraph({ style: 0, sprms: new Map() });
    this.tables.close();
  }

  #takeRun(run) {
    let last = 0;
    for (const { 0: control, index } of run.text.matchAll(CONTROL)) {
      this.#add(run.text.slice(last, index), run.look);
      last = index + 1;
      if (!run.look.isDeleted) this.#takeControl(control, run.cp + index, run.fc + index * run.width);
    }
    this.#add(run.text.slice(last), run.look);
  }

  #add(text, look) {
    if (text === "" || look.isDeleted || this.#fields.includes(true)) return;
    this.#text = appendRun(this.#text, look.symbol === undefined ? text : look.symbol, look);
  }

  #takeControl(control, cp, fc) {
    if (control === FIELD.begin) this.#fields.push(true);
    else if (control === FIELD.result && this.#fields.length > 0) this.#fields[this.#fields.length - 1] = false;
    else if (control === FIELD.end) this.#fields.pop();
    else if (control === "\r" || control === "\f") this.#endParagraph(this.text.paragraphAt(fc), cp + 1);
    else if (control === "\x07") this.#endCell(this.text.paragraphAt(fc), cp + 1);
    else if (this.#fields.includes(true)) return;
    else if (control === PICTURE) this.skipped.pictures += 1;
    else this.#text += SIGNS.get(control) ?? this.marks.get(cp) ?? "";
  }

  #endParagraph({ style, sprms }, next) {
    if (isSet(sprms, IN_TABLE)) this.tables.openCell();
    else this.tables.close();
    const { number, ...manner } = this.#mannerOf(style, sprms);
    const text = this.#text.trimStart();
    if (text !== "" || number !== undefined || manner.list !== undefined)
      this.writer.paragraph(`${this.starts.get(this.#start) ?? ""}${number ? `${number} ` : ""}${text}`, manner);
    this.#text = "";
    this.#start = next;
  }

  #mannerOf(style, sprms) {
    const { heading, list, level = 0 } = { ...this.look.styleOf(style), ...listOf(sprms) };
    const number = list ? this.look.numbering.nextNumber(list, level) : undefined;
    if (heading && heading <= 9) return { heading, number };
    return list ? { list: { level, mark: number ?? "-" } } : {};
  }

  #endCell(paragraph, next) {
    if (isSet(paragraph.sprms, ROW_END)) {
      this.tables.closeRow();
      this.#start = next;
      return;
    }
    this.#endParagraph(paragraph, next);
    this.tables.closeCell();
  }
}

import { symbolIn } from "./docx-symbols.mjs";
import { FlatTables } from "./flat-tables.mjs";
import { MarkdownWriter } from "./output.mjs";
import { groupOf, STORY_TITLES } from "./rtf-groups.mjs";
import { decode, encodingOf, readTokens } from "./rtf-tokens.mjs";
import { appendRun } from "./run-text.mjs";

/** More groups in each other no document has. */
const MAX_DEPTH = 1_000;
const SIGNS = new Map([
  ["tab", "\t"],
  ["line", "\n"],
  ["lbr", "\n"],
  ["emdash", "—"],
  ["endash", "–"],
  ["bullet", "•"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
  ["emspace", " "],
  ["enspace", " "],
  ["~", "\u00a0"],
  ["_", "-"],
]);
const PARAGRAPH_ENDS = new Set(["par", "page", "sect", "column", "softpage", "nestcell", "\n", "\r"]);
const PICTURE = "pict";

/**
 * A rich text as read-docx.mjs writes documents: headings, lists with the marks that stand in it, tables, and notes, comments, boxes,
 * headers and footers under headings of their own; what tracked changes took out is left out.
 */
export function readRtf(bytes, output) {
  const reader = new RtfReader(output);
  for (const token of readTokens(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"))) {
    if (output.isFull || reader.isDone) break;
    reader.take(token);
  }
  return reader.finish();
}

class RtfReader {
  #writer;
  #tables;
  #output;
  #groups = [{ font: 0, skip: 1 }];
  /** What stands behind its outermost group is no part of it. */
  isDone = false;
  /** Whether the group that is open has said nothing yet, and whether it may be passed over. */
  #isFresh = false;
  #isStarred = false;
  #fonts = new Map();
  #page;
  #paragraph = newParagraph();
  #bytes = [];
  /** Characters that stand for those of \u in programs that do not know it. */
  #toSkip = 0;
  #pictures = 0;
  /** Paragraphs of the texts beside the body, by title. */
  #stories = new Map(STORY_TITLES.map((title) => [title, []]));
  #notes = new Map([
    ["[Footnotes]", 0],
    ["[Comments]", 0],
  ]);
  #author = "";

  constructor(output) {
    this.#output = output;
    this.#writer = new MarkdownWriter(output);
    this.#writer.begin();
    this.#tables = new FlatTables(this.#writer);
  }

  get #group() {
    return this.#groups[this.#groups.length - 1];
  }

  take({ word, number, byte, sign, brace, text }) {
    if (byte === undefined) this.#flush();
    if (brace !== undefined) this.#toSkip = 0;
    if (brace === "{") this.#open();
    else if (brace === "}") this.#close();
    else if (sign === "*") this.#isStarred = this.#isFresh;
    else if (word !== undefined) this.#takeWord(word, number);
    else if (byte !== undefined) this.#takeByte(byte);
    else if (sign !== undefined) this.#takeSign(sign);
    else this.#takeText(text);
    if (brace !== "{" && sign !== "*") this.#isFresh = false;
  }

  finish() {
    this.#flush();
    while (this.#groups.length > 1) this.#close();
    if (this.#paragraph.text.trim() !== "") this.#endParagraph();
    this.#tables.close();
    for (const [title, paragraphs] of this.#stories) {
      this.#writer.announce(title);
      for (const text of new Set(paragraphs)) if (!this.#output.isFull) this.#writer.paragraph(text);
    }
    return { pictures: this.#pictures };
  }

  #open() {
    const { isSkipped, kept, story, ...look } = this.#group;
    // What is skipped or kept stays so in the groups in it.
    if (this.#groups.length < MAX_DEPTH) this.#groups.push({ ...look, isSkipped, kept });
    else this.#groups.push(this.#group);
    this.#isFresh = true;
    this.#isStarred = false;
  }

  #close() {
    const closed = this.#groups.length > 1 ? this.#groups.pop() : this.#group;
    if (closed.story) this.#endStory(closed);
    this.isDone = this.#groups.length === 1;
    this.#isFresh = false;
  }

  #endStory({ story, outer, mark }) {
    this.#endParagraph();
    const text = this.#paragraph.ended.filter(Boolean).join(" ");
    this.#paragraph = outer;
    if (text !== "") this.#stories.get(story).push(mark + text);
  }

  #beginStory(story) {
    const group = this.#group;
    group.story = story;
    group.outer = this.#paragraph;
    group.mark = "";
    const count = this.#notes.get(story);
    if (count !== undefined) {
      this.#notes.set(story, count + 1);
      const isComment = story === "[Comments]";
      const sign = `[^${isComment ? "c" : ""}${count + 1}]`;
      this.#paragraph.text += sign;
      group.mark = `${sign}: ${isComment && this.#author !== "" ? `${this.#author}: ` : ""}`;
      this.#author = "";
    }
    this.#paragraph = { ...newParagraph(), ended: [] };
  }

  #takeWord(word, number) {
    const group = this.#group;
    if (this.#isFresh) {
      const { story, ...what } = groupOf(word, this.#isStarred);
      if (word === PICTURE && !group.isSkipped) this.#pictures += 1;
      Object.assign(group, what);
      if (story && !group.isSkipped && !group.kept) this.#beginStory(story);
    }
    if (group.isSkipped) return;
    if (word === "u") this.#takeUnicode(number);
    else if (SIGNS.has(word)) this.#takeLetter(SIGNS.get(word));
    else if (PARAGRAPH_ENDS.has(word)) this.#endParagraph();
    else if (word === "cell") this.#endCell();
    else if (word === "row") this.#tables.closeRow();
    else if (LOOKS.has(word)) LOOKS.get(word)(group, number);
    else if (PARAGRAPHS.has(word) && !group.kept) PARAGRAPHS.get(word)(this.#paragraph, number);
    else if (word === "ansicpg") this.#page = number;
    else if (word === "f") this.#setFont(group, number);
    else if (word === "fcharset" && group.kept === "fonts") this.#fontOf(group.font).charset = number;
  }

  #setFont(group, number) {
    group.font = number ?? 0;
    if (group.kept === "fonts") this.#fonts.set(group.font, { name: "" });
  }

  #fontOf(number) {
    const font = this.#fonts.get(number) ?? { name: "" };
    this.#fonts.set(number, font);
    return font;
  }

  #takeUnicode(number = 0) {
    this.#addText(String.fromCharCode(number & 0xffff));
    this.#toSkip = this.#group.skip;
  }

  #takeLetter(letter) {
    if (this.#toSkip > 0) this.#toSkip -= 1;
    else this.#addText(letter);
  }

  #takeByte(byte) {
    if (this.#toSkip > 0) this.#toSkip -= 1;
    else this.#bytes.push(byte);
  }

  #takeSign(sign) {
    if (SIGNS.has(sign)) this.#takeLetter(SIGNS.get(sign));
    else if (PARAGRAPH_ENDS.has(sign) && !this.#group.isSkipped) this.#endParagraph();
    else if ("\\{}".includes(sign)) this.#takeText(sign);
  }

  #takeText(text) {
    const shown = text.slice(this.#toSkip);
    this.#toSkip = Math.max(0, this.#toSkip - text.length);
    // Letters beyond ASCII should not stand here, and do.
    for (const character of shown) this.#bytes.push(character.charCodeAt(0));
    this.#flush();
  }

  #flush() {
    if (this.#bytes.length === 0) return;
    const { charset, name = "" } = this.#fonts.get(this.#group.font) ?? {};
    const isSymbol = charset === 2 && this.#group.kept === undefined;
    const text = isSymbol
      ? this.#bytes.map((byte) => symbolIn(name, byte) || (byte < 0x80 ? String.fromCharCode(byte) : "")).join("")
      : decode(this.#bytes, encodingOf(charset, this.#page));
    this.#bytes = [];
    this.#addText(text);
  }

  #addText(text) {
    const { isSkipped, kept, isDeleted } = this.#group;
    if (isSkipped || text === "") return;
    if (kept === "mark") this.#paragraph.mark += text;
    else if (kept === "author") this.#author += text;
    else if (kept === "fonts") this.#fontOf(this.#group.font).name += text.replace(/;.*/s, "");
    else if (!isDeleted) this.#paragraph.text = appendRun(this.#paragraph.text, text, this.#group);
  }

  #endParagraph() {
    const paragraph = this.#paragraph;
    if (paragraph.ended) {
      paragraph.ended.push(tidy(paragraph.text).trim());
      paragraph.text = "";
      return;
    }
    if (this.#group.isDeleted) return;
    if (paragraph.isInTable) this.#tables.openCell();
    else this.#tables.close();
    const text = tidy(paragraph.text);
    const mark = tidy(paragraph.mark).trim();
    if (text.trim() !== "" || mark !== "") this.#writer.paragraph(...shownAs(text, mark, paragraph));
    paragraph.text = "";
    paragraph.mark = "";
  }

  #endCell() {
    const { isInTable } = this.#paragraph;
    // Some writers do not say it.
    this.#paragraph.isInTable = true;
    this.#endParagraph();
    this.#paragraph.isInTable = isInTable;
    this.#tables.openCell();
    this.#tables.closeCell();
  }
}

/** What is said of characters, until their group ends. */
const LOOKS = new Map([
  ["uc", (group, number = 1) => Object.assign(group, { skip: Math.max(0, number) })],
  ["plain", (group) => Object.assign(group, { isDeleted: false, isStruck: false, isRaised: false })],
  ["deleted", (group, number) => Object.assign(group, { isDeleted: number !== 0 })],
  ["strike", (group, number) => Object.assign(group, { isStruck: number !== 0 })],
  ["striked", (group, number) => Object.assign(group, { isStruck: number !== 0 })],
  ["super", (group, number) => Object.assign(group, { isRaised: number !== 0 })],
  ["nosupersub", (group) => Object.assign(group, { isRaised: false })],
]);

/** What is said of paragraphs, until it is taken back. */
const PARAGRAPHS = new Map([
  ["pard", (paragraph) => Object.assign(paragraph, { isInTable: false, heading: undefined, level: 0 })],
  ["intbl", (paragraph) => Object.assign(paragraph, { isInTable: true })],
  [
    "outlinelevel",
    (paragraph, number = 9) => Object.assign(paragraph, { heading: number < 9 ? number + 1 : undefined }),
  ],
  ["ilvl", (paragraph, number = 0) => Object.assign(paragraph, { level: Math.min(Math.max(number, 0), 8) })],
]);

function newParagraph() {
  return { text: "", mark: "", isInTable: false, heading: undefined, level: 0 };
}

/** @returns {[text: string, manner: object]} */
function shownAs(text, mark, { heading, level }) {
  if (heading) return [mark === "" ? text : `${mark} ${text.trimStart()}`, { heading }];
  if (mark === "") return [text, {}];
  // A bullet is a sign, a number has a digit or a letter.
  return [text, { list: { level, mark: /[\p{L}\p{N}]/u.test(mark) ? mark : "-" } }];
}

function tidy(text) {
  return text.replace(/[\x00-\x08\x0b-\x1f]/g, "").toWellFormed();
}

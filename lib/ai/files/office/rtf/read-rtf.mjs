import { FlatTables } from "../flat-tables.mjs";
import { MarkdownWriter } from "../output.mjs";
import { appendRun } from "../run-text.mjs";
import { groupOf } from "./rtf-groups.mjs";
import { RtfLetters } from "./rtf-letters.mjs";
import { LOOKS, newParagraph, PARAGRAPHS, shownAs, tidy } from "./rtf-looks.mjs";
import { RtfStories } from "./rtf-stories.mjs";
import { readTokens } from "./rtf-tokens.mjs";

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
const PARAGRAPH_ENDS = new Set(["par", "page", "sect", "column", "nestcell", "\n", "\r"]);
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
  #paragraph = newParagraph();
  #letters = new RtfLetters();
  #stories = new RtfStories();
  #pictures = 0;

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
    if (brace !== undefined) this.#letters.stopSkipping();
    if (brace === "{") this.#open();
    else if (brace === "}") this.#close();
    else if (sign === "*") this.#isStarred = this.#isFresh;
    else if (word !== undefined) this.#takeWord(word, number);
    else if (byte !== undefined) this.#letters.addByte(byte);
    else if (sign !== undefined) this.#takeSign(sign);
    else this.#takeText(text);
    if (brace !== "{" && sign !== "*") this.#isFresh = false;
  }

  finish() {
    this.#flush();
    while (this.#groups.length > 1) this.#close();
    if (this.#paragraph.text.trim() !== "") this.#endParagraph();
    this.#tables.close();
    this.#stories.write(this.#writer, this.#output);
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
    // Those too deep are one and the same: its story ends with the last of them.
    if (closed.story && closed !== this.#group) this.#endStory(closed);
    this.isDone = this.#groups.length === 1;
    this.#isFresh = false;
  }

  #endStory({ story, outer, mark }) {
    this.#endParagraph();
    const text = this.#paragraph.ended.filter(Boolean).join(" ");
    this.#paragraph = outer;
    if (text !== "") this.#stories.add(story, mark + text);
  }

  #beginStory(story) {
    const { sign, mark } = this.#stories.begin(story);
    this.#paragraph.text += sign;
    Object.assign(this.#group, { story, mark, outer: this.#paragraph });
    this.#paragraph = { ...newParagraph(), ended: [] };
  }

  #takeWord(word, number) {
    const group = this.#group;
    if (this.#isFresh) {
      const { story, ...what } = groupOf(word, this.#isStarred);
      if (word === PICTURE && !group.isSkipped) this.#pictures += 1;
      Object.assign(group, what);
      if (story && !group.story && !group.isSkipped && !group.kept) this.#beginStory(story);
    }
    if (group.isSkipped) return;
    if (word === "u") this.#addText(this.#letters.unicode(number ?? 0, group.skip));
    else if (SIGNS.has(word)) this.#takeLetter(SIGNS.get(word));
    else if (PARAGRAPH_ENDS.has(word)) this.#endParagraph();
    else if (word === "cell") this.#endCell();
    else if (word === "row") this.#tables.closeRow();
    else if (LOOKS.has(word)) LOOKS.get(word)(group, number);
    else if (PARAGRAPHS.has(word) && !group.kept) PARAGRAPHS.get(word)(this.#paragraph, number);
    else if (word === "ansicpg") this.#letters.page = number;
    else if (word === "f") this.#setFont(group, number);
    else if (word === "fcharset" && group.kept === "fonts") this.#letters.describeFont(group.font, { charset: number });
  }

  #setFont(group, number) {
    group.font = number ?? 0;
    if (group.kept === "fonts") this.#letters.beginFont(group.font);
  }

  #takeLetter(letter) {
    if (!this.#letters.isSkipped()) this.#addText(letter);
  }

  #takeSign(sign) {
    if (SIGNS.has(sign)) this.#takeLetter(SIGNS.get(sign));
    else if (PARAGRAPH_ENDS.has(sign) && !this.#group.isSkipped) this.#endParagraph();
    else if ("\\{}".includes(sign)) this.#takeText(sign);
  }

  #takeText(text) {
    this.#letters.addText(text);
    this.#flush();
  }

  #flush() {
    const { font, kept } = this.#group;
    this.#addText(this.#letters.take(font, kept !== undefined));
  }

  #addText(text) {
    const { isSkipped, kept, isDeleted } = this.#group;
    if (isSkipped || text === "") return;
    if (kept === "mark") this.#paragraph.mark += text;
    else if (kept === "author") this.#stories.author += text;
    else if (kept === "fonts") this.#letters.describeFont(this.#group.font, { name: text });
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

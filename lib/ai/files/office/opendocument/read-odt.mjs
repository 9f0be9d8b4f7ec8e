import { MarkdownWriter } from "../output.mjs";
import { appendRun } from "../run-text.mjs";
import { attribute, readXml, toNumber } from "../xml.mjs";
import { isBox, isTick, OdtForms } from "./odt-forms.mjs";
import { isHidden, OdtHidden } from "./odt-hidden.mjs";
import { openList } from "./odt-lists.mjs";
import { closeParagraph, lookOf, MAX_NUMBER, openParagraph, place } from "./odt-paragraphs.mjs";
import { OdtStyles } from "./odt-styles.mjs";

const MAX_BLANKS = 100;

/**
 * The text of an OpenDocument text: headings, paragraphs, lists, tables, with notes, comments and what was filled into forms
 * where they stand; headers and footers under a heading of their own.
 */
export async function readOdt(zip, output) {
  const skipped = { pictures: 0, embeddedFiles: 0 };
  const writer = new MarkdownWriter(output);
  const styles = new OdtStyles();
  writer.begin();
  const hasStyles = zip.has("styles.xml");
  if (hasStyles) await readXml(zip.read("styles.xml"), { open: (...element) => styles.open(...element) });
  const read = (name, roots) =>
    readXml(zip.read(name), contentHandlers(writer, skipped, styles, roots), () => output.isFull);
  await read("content.xml", BODY);
  if (output.isFull || !hasStyles) return skipped;
  writer.announce("[Headers and footers]");
  await read("styles.xml", MARGINS);
  return skipped;
}

/** What is no part of the text as it reads today, or stands there already; numbers are counted. */
const SKIPPED = new Set(["tracked-changes", "ruby-text", "number"]);
/** The second is what a cell that reaches over rows or columns covers: its column counts, or others would move into it. */
const CELLS = new Set(["table-cell", "covered-table-cell"]);
/** Their paragraphs are their own, also where one of them stands in a paragraph. */
const FRAMES = new Set(["table", "text-box"]);
/** In a picture's frame they say what it shows; in a text the same names are fields. */
const CAPTIONS = new Set(["title", "desc"]);
const PARENTS_OF_FIELDS = new Set(["p", "h", "span", "a", "meta"]);
/** What stands beside a text, and what is said before it; who wrote a comment, and the number of a note. */
const ASIDES = new Map([
  ["annotation", "Comment: "],
  ["note", "Note "],
]);
const LABELS = new Set(["creator", "note-citation"]);
const COMMENT_FACTS = new Set(["date", "creator-initials", "date-string", "sender-initials"]);

/** The elements whose content is text, in the two files that have some. */
export const BODY = new Set(["body"]);
const MARGINS = new Set(["header", "header-left", "header-first", "footer", "footer-left", "footer-first"]);

/** Takes the elements of a file of an OpenDocument and writes the text that stands in some of them. */
export function contentHandlers(writer, skipped, styles, roots) {
  const forms = new OdtForms();
  const state = {
    writer,
    skipped,
    styles,
    forms,
    hidden: new OdtHidden(),
    isBody: false,
    skipDepth: 0,
    isForm: false,
    names: [],
    paragraphs: [],
    outer: [],
    looks: [],
    spans: [],
    lists: [],
    /** Of the last list of each style, and of each list by its name; of headings. */
    counts: new Map(),
    outline: [],
  };
  return {
    open(name, attributes) {
      const isFact = COMMENT_FACTS.has(name) && state.paragraphs.at(-1)?.isComment;
      if (state.isForm) forms.open(name, attributes);
      else if (state.skipDepth > 0 || SKIPPED.has(name) || isFact) state.skipDepth += 1;
      else if (state.isBody) {
        state.names.push(name);
        openElement(state, name, attributes);
      } else if (roots.has(name)) state.isBody = true;
      else styles.open(name, attributes);
    },
    text(text) {
      const paragraph = state.paragraphs.at(-1);
      if (!paragraph || state.skipDepth > 0 || state.isForm) return;
      // Line breaks and rows of blanks in the file are one blank.
      paragraph.text = appendRun(paragraph.text, text.replace(/\s+/g, " "), lookOf(state, paragraph));
    },
    close(name) {
      if (state.skipDepth > 0) state.skipDepth -= 1;
      else if (state.isForm) state.isForm = name !== "forms";
      else if (roots.has(name)) state.isBody = false;
      else if (state.isBody) {
        state.names.pop();
        closeElement(state, name);
      }
    },
  };
}

function openElement(state, name, attributes) {
  const { writer, skipped, paragraphs } = state;
  const isCaption = CAPTIONS.has(name) && !PARENTS_OF_FIELDS.has(state.names.at(-2));
  if (name === "forms") {
    state.isForm = true;
    state.names.pop();
  } else if (name === "p" || name === "h") openParagraph(state, name, attributes);
  else if (ASIDES.has(name) || isCaption) paragraphs.push({ text: "", isComment: !isCaption });
  else if (name === "section") state.hidden.openSection(attributes);
  else if (name === "list") openList(state, attributes);
  else if (name === "list-item" || name === "list-header") {
    const start = attribute(attributes, "start-value");
    const list = state.lists.at(-1);
    if (list) list.item = { isCounted: name === "list-header", start: toNumber(start, undefined, MAX_NUMBER) };
  } else if (FRAMES.has(name)) {
    state.outer.push({ paragraphs, lists: state.lists, looks: state.looks });
    Object.assign(state, { paragraphs: [], lists: [], looks: [] });
    if (name === "table") writer.openTable();
  } else if (name === "table-row") writer.openRow();
  else if (CELLS.has(name)) {
    state.spans.push(toNumber(attribute(attributes, "number-columns-repeated"), 1, 100));
    writer.openCell();
  } else if (name === "image") skipped.pictures += 1;
  else if (name === "object" || name === "object-ole") skipped.embeddedFiles += 1;
  else if (name === "control") placeControl(state, attribute(attributes, "control"));
  else openInParagraph(state, name, attributes);
}

function openInParagraph({ styles, looks, paragraphs }, name, attributes) {
  const paragraph = paragraphs.at(-1);
  if (name === "span") {
    const { isRaised, isStruck, isHidden: isUnseen } = styles.find("text", attribute(attributes, "style-name"));
    const around = looks.at(-1) ?? {};
    looks.push({
      isRaised: isRaised ?? around.isRaised,
      isStruck: isStruck ?? around.isStruck,
      isHidden: isUnseen ?? around.isHidden,
    });
  } else if (name === "hidden-text") {
    const around = looks.at(-1) ?? {};
    looks.push({ ...around, isHidden: isHidden(attributes) || around.isHidden });
  } else if (!paragraph) return;
  else if (name === "hidden-paragraph") paragraph.isHidden ||= isHidden(attributes);
  else if (name === "tab") paragraph.text += "\t";
  else if (name === "line-break") paragraph.text += "\n";
  else if (name === "s") {
    paragraph.text += " ".repeat(Math.max(1, toNumber(attribute(attributes, "c"), 1, MAX_BLANKS)));
  } else if (name === "fieldmark" || name === "fieldmark-start") {
    if (isBox(attributes)) paragraph.text += "☐";
  } else if (name === "param" && isTick(attributes)) paragraph.text = paragraph.text.replace(/☐$/, "☒");
}

function placeControl({ writer, forms, paragraphs }, id) {
  const value = forms.valueOf(id);
  const paragraph = paragraphs.at(-1);
  if (paragraph) paragraph.text += value;
  else writer.paragraph(value);
}

function closeElement(state, name) {
  const { writer, spans } = state;
  if (name === "list") state.lists.pop();
  else if (name === "section") state.hidden.closeSection();
  else if (name === "span" || name === "hidden-text") state.looks.pop();
  else if (CELLS.has(name)) writer.closeCell(spans.pop());
  else if (name === "table-row") writer.closeRow();
  else if (FRAMES.has(name)) {
    if (name === "table") writer.closeTable();
    Object.assign(state, state.outer.pop());
  } else if (name === "h" || name === "p") {
    state.looks.pop();
    closeParagraph(state);
  } else if (LABELS.has(name) && state.paragraphs.at(-1)?.isComment) state.paragraphs.at(-1).text += ": ";
  else if (ASIDES.has(name) || (CAPTIONS.has(name) && !PARENTS_OF_FIELDS.has(state.names.at(-1)))) {
    const text = state.paragraphs.pop()?.text.trim();
    if (text) place(state, `${ASIDES.get(name) ?? ""}${text}`);
  }
}

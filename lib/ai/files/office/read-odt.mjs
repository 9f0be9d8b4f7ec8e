import { MarkdownWriter } from "./output.mjs";
import { Unreadable } from "./unreadable.mjs";
import { attribute, readXml, toNumber } from "./xml.mjs";

const MAX_BLANKS = 100;

/**
 * The text of an OpenDocument text: headings, paragraphs, lists, tables, with notes where they stand; headers and footers under
 * a heading of their own.
 */
export async function readOdt(zip, output) {
  if (zip.has("META-INF/manifest.xml")) await refuseEncrypted(zip);
  const skipped = { pictures: 0, embeddedFiles: 0 };
  const writer = new MarkdownWriter(output);
  writer.begin();
  await readXml(zip.read("content.xml"), contentHandlers(writer, skipped, BODY), () => output.isFull);
  if (output.isFull || !zip.has("styles.xml")) return skipped;
  writer.announce("[Headers and footers]");
  await readXml(zip.read("styles.xml"), contentHandlers(writer, skipped, MARGINS), () => output.isFull);
  return skipped;
}

async function refuseEncrypted(zip) {
  await readXml(zip.read("META-INF/manifest.xml"), {
    open(name) {
      if (name === "encryption-data") throw new Unreadable("encrypted", "an encrypted OpenDocument file");
    },
  });
}

/** What is no part of the text as it reads today. */
const SKIPPED = new Set(["tracked-changes", "annotation", "forms", "note-citation"]);
/** The second is what a cell that reaches over rows or columns covers: its column counts, or others would move into it. */
const CELLS = new Set(["table-cell", "covered-table-cell"]);

/** The elements whose content is text, in the two files that have some. */
const BODY = new Set(["body"]);
const MARGINS = new Set(["header", "header-left", "header-first", "footer", "footer-left", "footer-first"]);

function contentHandlers(writer, skipped, roots) {
  const state = { isBody: false, skipDepth: 0, paragraphs: [], listLevel: 0, spans: [] };
  return {
    open(name, attributes) {
      if (state.skipDepth > 0 || SKIPPED.has(name)) state.skipDepth += 1;
      else if (state.isBody) openElement(state, writer, skipped, name, attributes);
      else if (roots.has(name)) state.isBody = true;
    },
    text(text) {
      const paragraph = state.paragraphs.at(-1);
      // Line breaks and rows of blanks in the file are one blank.
      if (paragraph && state.skipDepth === 0) paragraph.text += text.replace(/\s+/g, " ");
    },
    close(name) {
      if (state.skipDepth > 0) state.skipDepth -= 1;
      else if (roots.has(name)) state.isBody = false;
      else if (state.isBody) closeElement(state, writer, name);
    },
  };
}

function openElement(state, writer, skipped, name, attributes) {
  const paragraph = state.paragraphs.at(-1);
  if (name === "h") {
    state.paragraphs.push({ text: "", heading: Math.max(1, toNumber(attribute(attributes, "outline-level"), 1, 6)) });
  } else if (name === "p") state.paragraphs.push({ text: "" });
  else if (name === "list") state.listLevel += 1;
  else if (name === "table") writer.openTable();
  else if (name === "table-row") writer.openRow();
  else if (CELLS.has(name)) {
    state.spans.push(toNumber(attribute(attributes, "number-columns-repeated"), 1, 100));
    writer.openCell();
  } else if (name === "image") skipped.pictures += 1;
  else if (name === "object" || name === "object-ole") skipped.embeddedFiles += 1;
  else if (paragraph && name === "tab") paragraph.text += "\t";
  else if (paragraph && name === "line-break") paragraph.text += "\n";
  else if (paragraph && name === "s") {
    paragraph.text += " ".repeat(Math.max(1, toNumber(attribute(attributes, "c"), 1, MAX_BLANKS)));
  }
}

function closeElement(state, writer, name) {
  if (name === "list") state.listLevel -= 1;
  else if (CELLS.has(name)) writer.closeCell(state.spans.pop());
  else if (name === "table-row") writer.closeRow();
  else if (name === "table") writer.closeTable();
  else if (name === "h" || name === "p") {
    const paragraph = state.paragraphs.pop();
    if (!paragraph) return;
    const parent = state.paragraphs.at(-1);
    // A note or a text frame stands inside of the paragraph that it belongs to.
    if (parent) parent.text += ` [${paragraph.text.trim()}] `;
    else if (paragraph.heading) writer.paragraph(paragraph.text, { heading: paragraph.heading });
    else
      writer.paragraph(paragraph.text, state.listLevel > 0 ? { list: { level: state.listLevel - 1, mark: "-" } } : {});
  }
}

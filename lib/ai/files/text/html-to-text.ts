import { MAX_RAISED_CHARACTERS, raise } from "@/lib/ai/files/office/run-text.mjs";
import { readAttributes, readEntities } from "@/lib/ai/files/text/html-attributes";
import { readInput, readSelect } from "@/lib/ai/files/text/html-form-fields";
import { readFormula } from "@/lib/ai/files/text/html-formula";
import { HtmlHidden } from "@/lib/ai/files/text/html-hidden";
import { HtmlLists } from "@/lib/ai/files/text/html-lists";
import { after, findMarkup, findTagEnd, skipElement, tagOf } from "@/lib/ai/files/text/html-markup";
import { endOfPiece, ITEM_LINE, joinSlowly, KEPT_LINE, tidyLines, withoutMark } from "@/lib/ai/files/text/html-pieces";
import { HtmlTables } from "@/lib/ai/files/text/html-tables";
import { takePace } from "@/lib/give-way";

/**
 * The readable text of an HTML page, roughly as Markdown: headings, lists, tables, line breaks, what is filled into forms; no
 * scripts, styles or comments. One pass without a tree, in linear time, for any input; nothing is fetched. Lets others work meanwhile.
 * @param isTitled whether the page's title is a part of it: that of a book's chapter mostly says the book's again
 */
export async function htmlToText(source: string, isTitled = true): Promise<string> {
  const pace = takePace();
  const html = await withoutMark(await withoutMark(source, KEPT_LINE, pace), ITEM_LINE, pace);
  const output: string[] = [];
  const tables = new HtmlTables(output);
  const seen: Seen = {
    unclosed: new Set(),
    hasHead: !isTitled,
    preDepth: 0,
    tables,
    lists: new HtmlLists(),
    hidden: new HtmlHidden(output),
    strikes: [],
  };
  let position = 0;
  let open = -1;
  for (let steps = 1; position < html.length; steps++) {
    // Looked for once, however many pieces the text before it is read in.
    if (open < position) open = findMarkup(html, position);
    const start = position;
    const { size: unclosed } = seen.unclosed;
    if (open > position) {
      position = endOfPiece(html, position, open);
      output.push(readable(html.slice(start, position), seen));
    } else position = readMarkup(html, open, output, seen);
    const isLong = position - start >= LONG_STEP_CHARACTERS || seen.unclosed.size > unclosed;
    if ((isLong || steps % STEPS_PER_LOOK === 0) && pace.isDue()) await pace.giveWay();
  }
  return tidyLines(await joinSlowly(output, pace), pace);
}

interface Seen {
  /** Elements known to have no closing tag any more: looking for it again and again would take quadratic time. */
  unclosed: Set<string>;
  hasHead: boolean;
  /** Open elements whose lines and blanks are the text's own. */
  preDepth: number;
  tables: HtmlTables;
  lists: HtmlLists;
  hidden: HtmlHidden;
  /** Open spans: whether each strikes its text out. */
  strikes: boolean[];
  /** Where raised text begins in the output. */
  raisedStart?: number;
}

/** Deeper spans are read as parts of these. */
const MAX_DEPTH = 1_000;

/** Looking at the clock takes as long as one of them. */
const STEPS_PER_LOOK = 16;
const LONG_STEP_CHARACTERS = 1_024;
/** Elements whose content is nothing to read. */
const SILENT_ELEMENTS = new Set(["script", "style", "noscript", "template", "svg", "iframe", "object", "head"]);

const BLOCK_ELEMENTS = new Set(
  "address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form header hr html legend main nav ol option p section summary table tbody tfoot thead tr ul".split(
    " ",
  ),
);

/** Takes the tag or comment that begins at `open`; returns where to go on. */
function readMarkup(html: string, open: number, output: string[], seen: Seen): number {
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 4);
  const next = html[open + 1] ?? "";
  if (next === "!" || next === "?") return after(html, ">", open);
  const name = /^\/?([a-zA-Z][a-zA-Z0-9]{0,30})/.exec(html.slice(open + 1, open + 34))?.[1]?.toLowerCase() ?? "";
  const end = findTagEnd(html, open + 1);
  const isClosing = next === "/";
  if (!isClosing && SILENT_ELEMENTS.has(name)) {
    // Only at the first: a page may say "head" a million times.
    if (name === "head" && !seen.hasHead) output.push(readTitle(html, end));
    seen.hasHead ||= name === "head";
    return html[end - 2] === "/" ? end : skipElement(html, name, end, seen.unclosed);
  }
  if (name === "select" && !isClosing) {
    const behind = skipElement(html, name, end, seen.unclosed);
    if (behind > end) output.push(readSelect(tagOf(html, open, end), html.slice(end, behind)));
    return behind;
  }
  if (name === "math" && !isClosing) {
    const behind = skipElement(html, name, end, seen.unclosed);
    // Some pages show a picture of it as well, which says the same.
    if (behind > end && !PICTURED.test(html.slice(behind, behind + 300)))
      write(output, readFormula(tagOf(html, open, end), html.slice(end, html.lastIndexOf("<", behind - 1))));
    return behind;
  }
  const tag = isClosing ? "" : tagOf(html, open, end);
  seen.hidden.read(name, isClosing, tag);
  if (LISTS.has(name)) readList(name, isClosing, tag, output, seen, () => html.slice(open, open + MAX_LIST_CHARACTERS));
  else if (SPECIAL_ELEMENTS.has(name)) readSpecial(name, isClosing, tag, output, seen);
  else write(output, separatorOf(name, isClosing));
  return end;
}

const PICTURED = /^\s*<\/span>\s*<img\s[^>]*math-fallback/;

/** Most tags say nothing that is to be read: millions of empty pieces take long to keep. */
function write(output: string[], text: string): void {
  if (text !== "") output.push(text);
}

/** Elements of which more is to know than that a line ends. */
const SPECIAL_ELEMENTS = new Set("table tr td th pre sup br input img s strike del span".split(" "));

function readSpecial(name: string, isClosing: boolean, tag: string, output: string[], seen: Seen): void {
  seen.tables.read(name, isClosing, tag);
  if (name === "pre") seen.preDepth = Math.max(0, seen.preDepth + (isClosing ? -1 : 1));
  if (name === "sup") readRaised(output, seen, isClosing);
  if (name === "br" && seen.preDepth > 0) output.push(`\n${KEPT_LINE}`);
  else write(output, separatorOf(name, isClosing) + textOf(name, tag) + readStrike(name, isClosing, tag, seen));
}

const LISTS = new Set(["ol", "ul", "li"]);
/** So far a list that counts down is looked through. */
const MAX_LIST_CHARACTERS = 50_000;

function readList(
  name: string,
  isClosing: boolean,
  tag: string,
  output: string[],
  { lists }: Seen,
  behind: () => string,
): void {
  if (name === "li" && !isClosing) output.push(`\n${lists.nextMark(tag)}`);
  if (name !== "li") lists.read(name, isClosing, tag, behind);
  if (isClosing) output.push(lists.endMark, "\n");
  else if (name !== "li") output.push("\n");
}

/** Of elements that hold their text in attributes. */
function textOf(name: string, tag: string): string {
  if (name === "input") return readInput(tag);
  const caption = name === "img" ? (readAttributes(tag).get("alt")?.trim() ?? "") : "";
  return caption === "" ? "" : ` [${caption}] `;
}

const STRIKES = new Set(["s", "strike", "del"]);
const STRIKING = /text-decoration[^;"']{0,100}line-through/i;

/** What is struck out no longer holds, such as an old price: marked as in Markdown. */
function readStrike(name: string, isClosing: boolean, tag: string, { strikes }: Seen): string {
  if (STRIKES.has(name)) return STRUCK;
  if (name !== "span") return "";
  if (isClosing) return strikes.pop() ? STRUCK : "";
  const isStruck = STRIKING.test(tag.slice(0, 2_000));
  if (strikes.length < MAX_DEPTH) strikes.push(isStruck);
  return isStruck ? STRUCK : "";
}

const STRUCK = "~~";

function readRaised(output: string[], seen: Seen, isClosing: boolean): void {
  const pieces = output.length - (seen.raisedStart ?? output.length);
  if (isClosing && pieces > 0 && pieces <= MAX_RAISED_CHARACTERS) output.push(raise(output.splice(-pieces).join("")));
  seen.raisedStart = isClosing ? undefined : output.length;
}

function separatorOf(name: string, isClosing: boolean): string {
  if (/^h[1-6]$/.test(name)) return isClosing ? "\n\n" : `\n\n${"#".repeat(Number(name[1]))} `;
  if (name === "br") return "\n";
  if (name === "tr") return "\n";
  if (name === "p") return "\n\n";
  if (name === "pre") return isClosing ? "\n" : `\n${KEPT_LINE}`;
  return BLOCK_ELEMENTS.has(name) ? "\n" : "";
}

function readTitle(html: string, from: number): string {
  const title = /<title[^>]{0,200}>([^<]{1,500})<\/title/i.exec(html.slice(from, from + 100_000))?.[1];
  return title === undefined ? "" : `# ${readable(title).trim()}\n\n`;
}

/** Blanks fold, but for those of preformatted text; entities become characters, without those that nobody sees. */
function readable(text: string, seen?: Seen): string {
  const isKept = seen !== undefined && seen.preDepth > 0;
  const read = readEntities(isKept ? text.replaceAll("\n", `\n${KEPT_LINE}`) : text.replace(/\s+/g, " "));
  return read.replaceAll(SOFT_HYPHEN, "").replace(PADDING, " ");
}

/** Where a word may be parted. */
const SOFT_HYPHEN = "\u00ad";
/** Mails fill the line that lists of mails show with it. */
const PADDING = /(?:[\u034f\u200b-\u200d]\s*){4,}/g;

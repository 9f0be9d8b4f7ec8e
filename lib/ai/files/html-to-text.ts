import { setImmediate } from "node:timers/promises";
import { readEntity } from "@/lib/ai/files/html-entities";

/**
 * The readable text of an HTML page, roughly as Markdown: headings, lists, tables, line breaks; no scripts, styles or
 * comments. One pass without a tree, in linear time, for any input; nothing is fetched. Lets others work meanwhile.
 */
export async function htmlToText(source: string): Promise<string> {
  const html = source.replaceAll(KEPT_LINE, "");
  const output: string[] = [];
  const seen: Seen = { unclosed: new Set(), hasHead: false, preDepth: 0 };
  let position = 0;
  let steps = 0;
  while (position < html.length) {
    const open = html.indexOf("<", position);
    if (open === -1) {
      output.push(readable(html.slice(position), seen));
      break;
    }
    if (open > position) output.push(readable(html.slice(position, open), seen));
    position = readMarkup(html, open, output, seen);
    if (++steps % STEPS_BETWEEN_PAUSES === 0) await setImmediate();
  }
  return tidy(output.join(""));
}

interface Seen {
  /** Elements known to have no closing tag any more: looking for it again and again would take quadratic time. */
  unclosed: Set<string>;
  hasHead: boolean;
  /** Open elements whose lines and blanks are the text's own. */
  preDepth: number;
  /** Where the innermost open cell of a table begins in the output. */
  cellStart?: number;
}

/** Before a line that keeps its blanks; no text has it. */
const KEPT_LINE = "\u0001";
/** A longer cell, or one with a table or preformatted text in it, is part of a page's layout and keeps its lines. */
const MAX_CELL_CHARACTERS = 400;

/** About ten milliseconds of work. */
const STEPS_BETWEEN_PAUSES = 20_000;

/** Elements whose content is nothing to read. */
const SILENT_ELEMENTS = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "head",
  "select",
]);

const BLOCK_ELEMENTS = new Set(
  "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html main nav ol p section summary table tbody tfoot thead tr ul".split(
    " ",
  ),
);

/** Takes one tag, comment or stray bracket that begins at `open`; returns where to go on. */
function readMarkup(html: string, open: number, output: string[], seen: Seen): number {
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 4);
  const next = html[open + 1] ?? "";
  if (next === "!" || next === "?") return after(html, ">", open);
  const name = !/[/a-zA-Z]/.test(next)
    ? undefined
    : /^\/?([a-zA-Z][a-zA-Z0-9]{0,30})/.exec(html.slice(open + 1, open + 34))?.[1]?.toLowerCase();
  if (name === undefined) {
    output.push("<");
    return open + 1;
  }
  const end = findTagEnd(html, open + 1);
  const isClosing = next === "/";
  if (!isClosing && SILENT_ELEMENTS.has(name)) {
    // Only at the first: a page may say "head" a million times.
    if (name === "head" && !seen.hasHead) output.push(readTitle(html, end));
    seen.hasHead ||= name === "head";
    return html[end - 2] === "/" ? end : skipElement(html, name, end, seen);
  }
  if (name === "td" || name === "th") readCell(output, seen, isClosing);
  if (name === "table") seen.cellStart = undefined;
  if (name === "pre") seen.preDepth = Math.max(0, seen.preDepth + (isClosing ? -1 : 1));
  output.push(name === "br" && seen.preDepth > 0 ? `\n${KEPT_LINE}` : separatorOf(name, isClosing));
  return end;
}

/** Paragraphs in a cell are one line: they would tear the row apart. */
function readCell(output: string[], seen: Seen, isClosing: boolean): void {
  if (isClosing && seen.cellStart !== undefined) {
    const text = output.splice(seen.cellStart).join("");
    const isLayout = text.length > MAX_CELL_CHARACTERS || text.includes(KEPT_LINE);
    output.push(isLayout ? text : text.replace(/\s+/g, " ").trim());
  }
  seen.cellStart = isClosing ? undefined : output.length;
}

function separatorOf(name: string, isClosing: boolean): string {
  if (/^h[1-6]$/.test(name)) return isClosing ? "\n\n" : `\n\n${"#".repeat(Number(name[1]))} `;
  if (name === "br") return "\n";
  if (name === "li") return isClosing ? "\n" : "\n- ";
  if (name === "td" || name === "th") return isClosing ? " | " : "";
  if (name === "tr") return "\n";
  if (name === "p") return "\n\n";
  if (name === "pre") return isClosing ? "\n" : `\n${KEPT_LINE}`;
  return BLOCK_ELEMENTS.has(name) ? "\n" : "";
}

/** The position behind a tag's `>`; quotes may hold others. */
function findTagEnd(html: string, start: number): number {
  let quote = "";
  for (let index = start; index < html.length; index++) {
    const character = html[index];
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") {
      // Only after "=" does a quote open a value; elsewhere it is a stray one.
      if (/=\s*$/.test(html.slice(Math.max(start, index - 4), index))) quote = character;
    } else if (character === ">") return index + 1;
  }
  return html.length;
}

function skipElement(html: string, name: string, from: number, { unclosed }: Seen): number {
  if (unclosed.has(name)) return from;
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = from;
  const match = closing.exec(html);
  if (match) return after(html, ">", match.index);
  unclosed.add(name);
  // Browsers run these to the end of the page; of the others only the tag is dropped.
  return name === "script" || name === "style" ? html.length : from;
}

function readTitle(html: string, from: number): string {
  const title = /<title[^>]{0,200}>([^<]{1,500})<\/title/i.exec(html.slice(from, from + 100_000))?.[1];
  return title === undefined ? "" : `# ${readable(title).trim()}\n\n`;
}

function after(html: string, mark: string, from: number): number {
  const index = html.indexOf(mark, from);
  return index === -1 ? html.length : index + mark.length;
}

/** Blanks fold, but for those of preformatted text; entities become characters. */
function readable(text: string, seen?: Seen): string {
  const isKept = seen !== undefined && seen.preDepth > 0;
  return (isKept ? text.replaceAll("\n", `\n${KEPT_LINE}`) : text.replace(/\s+/g, " ")).replace(
    /&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,9});?/gi,
    (entity, name: string) => readEntity(name) ?? entity,
  );
}

function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.startsWith(KEPT_LINE) ? line.slice(1).trimEnd() : withoutLastBars(line.trim())))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Without the bars behind a row's last cell. By hand: an expression takes quadratic time for many blanks or empty cells. */
function withoutLastBars(line: string): string {
  let end = line.length;
  while (line[end - 1] === "|") {
    end -= 1;
    while (end > 0 && /\s/.test(line[end - 1] ?? "")) end -= 1;
  }
  return line.slice(0, end);
}

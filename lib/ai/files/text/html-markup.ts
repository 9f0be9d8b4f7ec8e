import { MAX_TAG_CHARACTERS } from "@/lib/ai/files/text/html-attributes";

/** Where the next tag or comment begins, or the end: a bracket that begins none is text like any other. */
export function findMarkup(html: string, from: number): number {
  const markup = /<(?=\/?[a-zA-Z]|[!?])/g;
  markup.lastIndex = from;
  return markup.exec(html)?.index ?? html.length;
}

/** The tag from `open` to `end`, or as much of it as a tag says without data in it. */
export function tagOf(html: string, open: number, end: number): string {
  return html.slice(open, Math.min(end, open + MAX_TAG_CHARACTERS));
}

/** The position behind a tag's `>`; quotes may hold others. */
export function findTagEnd(html: string, start: number): number {
  let isBehindEquals = false;
  for (let index = start; index < html.length; index++) {
    const code = html.charCodeAt(index);
    if (code === GREATER_THAN) return index + 1;
    // Only after "=" does a quote open a value; elsewhere it is a stray one.
    if (isBehindEquals && (code === QUOTE || code === APOSTROPHE)) {
      index = html.indexOf(code === QUOTE ? '"' : "'", index + 1);
      if (index === -1) return html.length;
    }
    isBehindEquals = code === EQUALS || (isBehindEquals && code <= BLANK);
  }
  return html.length;
}

const BLANK = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;

/**
 * The position behind the element that began before `from`; `from` itself where nothing closes it.
 * @param unclosed elements known to have no closing tag any more: looking for it again and again would take quadratic time
 */
export function skipElement(html: string, name: string, from: number, unclosed: Set<string>): number {
  if (unclosed.has(name)) return from;
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = from;
  const match = closing.exec(html);
  if (match) return after(html, ">", match.index);
  unclosed.add(name);
  // Browsers run these to the end of the page; of the others only the tag is dropped.
  return name === "script" || name === "style" ? html.length : from;
}

/** The position behind the next `mark`, or the end. */
export function after(html: string, mark: string, from: number): number {
  const index = html.indexOf(mark, from);
  return index === -1 ? html.length : index + mark.length;
}

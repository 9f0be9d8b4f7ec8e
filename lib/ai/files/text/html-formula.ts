import { group } from "@/lib/ai/files/office/math.mjs";
import { readAttributes, readEntities } from "@/lib/ai/files/text/html-attributes";

/** Longer ones are no formulas, and are left out. */
const MAX_CHARACTERS = 50_000;

/**
 * A formula of a page (MathML) on one line: as TeX where it carries that, else with its fractions, powers, indices and roots marked.
 * Without them its letters would stand in a row and say something else.
 * @param tag the tag that opens it
 * @param content what stands between its tags
 */
export function readFormula(tag: string, content: string): string {
  if (content.length > MAX_CHARACTERS) return "";
  const notes = [...content.matchAll(/<annotation\s([^<>]{0,300})>([^<]*)</gi)];
  const tex = notes.find(([, attributes]) => attributes?.includes("x-tex"))?.[2] ?? readAttributes(tag).get("alttext");
  const formula = tex === undefined ? readStructure(content) : withoutStyle(readEntities(tex).trim());
  return formula.replace(UNSEEN, "").replace(/\s+/g, " ").trim();
}

/** That a function is applied, or factors multiplied. */
const UNSEEN = /[\u2061-\u2064]/g;

/** How large it is set says nothing. */
function withoutStyle(tex: string): string {
  return /^\{\\(?:displaystyle|textstyle)\s([\s\S]*)\}$/.exec(tex)?.[1] ?? tex;
}

interface Frame {
  name: string;
  /** What the elements in it say, in their order. */
  children: string[];
  text: string;
}

function readStructure(content: string): string {
  const frames: Frame[] = [{ name: "math", children: [], text: "" }];
  const closeTop = () => {
    const { name, children, text } = frames.pop() as Frame;
    const parent = frames.at(-1) as Frame;
    parent.children.push(
      NOTHING.has(name) ? "" : (FORMS.get(name)?.(children) ?? wordOf(name, children.join("") || text)),
    );
  };
  for (const [, slash, tagName, end, text] of content.matchAll(PIECE)) {
    const top = frames.at(-1) as Frame;
    const name = tagName?.toLowerCase();
    if (text !== undefined) top.text += readEntities(text).trim();
    else if (!slash && end === "/") top.children.push("");
    else if (!slash && name && frames.length < MAX_DEPTH) frames.push({ name, children: [], text: "" });
    else if (slash && frames.length > 1 && name === top.name) closeTop();
  }
  while (frames.length > 1) closeTop();
  return frames[0]?.children.join("") || (frames[0]?.text ?? "");
}

/** Names of functions, and words, stand apart from what is beside them. */
function wordOf(name: string, text: string): string {
  return (name === "mi" && text.length > 1) || name === "mtext" ? ` ${text} ` : text;
}

const PIECE = /<(\/?)([a-z][a-z0-9:-]{0,30})[^<>]*?(\/?)>|([^<]+)/gi;
/** Deeper ones are read as parts of these. */
const MAX_DEPTH = 200;
/** What is said in another way, or by no letter. */
const NOTHING = new Set(["annotation", "annotation-xml", "mspace", "mphantom", "none", "mprescripts"]);

/** A map, for what a page names its elements: objects know words of their own, such as `constructor`. */
const FORMS = new Map<string, (children: string[]) => string>(
  Object.entries({
    mfrac: ([above = "", below = ""]) => `${group(above)}/${group(below)}`,
    msup: ([base = "", power = ""]) => `${group(base)}^${group(power)}`,
    msub: ([base = "", index = ""]) => `${group(base)}_${group(index)}`,
    msubsup: ([base = "", index = "", power = ""]) => `${group(base)}_${group(index)}^${group(power)}`,
    munder: ([base = "", below = ""]) => `${base}_${group(below)}`,
    mover: ([base = "", above = ""]) => `${base}^${group(above)}`,
    munderover: ([base = "", below = "", above = ""]) => `${base}_${group(below)}^${group(above)} `,
    msqrt: (children) => `√(${children.join("")})`,
    mroot: ([base = "", degree = ""]) => `${degree}√(${base})`,
    mtr: (cells) => cells.join(", "),
    mtable: (rows) => `[${rows.join("; ")}]`,
  }),
);

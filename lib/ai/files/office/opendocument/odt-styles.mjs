import { attribute, toNumber } from "../xml.mjs";

const MAX_LEVEL = 10;
const MAX_NUMBER = 1_000_000;
/** How many styles one may build upon; more is a ring. */
const MAX_STYLE_DEPTH = 12;
/** Of the headings' own list. */
const OUTLINE = "outline-style";
/** The formats of numbers by the names that Word has for them. */
const FORMATS = new Map([
  ["a", "lowerLetter"],
  ["A", "upperLetter"],
  ["i", "lowerRoman"],
  ["I", "upperRoman"],
  ["1", "decimal"],
]);
const LEVELS = new Set(["list-level-style-number", "outline-level-style"]);

/** What the styles of an OpenDocument text say of its words and lists; takes the elements of its files as they come. */
export class OdtStyles {
  #styles = new Map();
  #levels = new Map();
  #style = {};
  #list = "";

  open(name, attributes) {
    if (name === "style") {
      this.#style = {
        parent: attribute(attributes, "parent-style-name"),
        list: attribute(attributes, "list-style-name"),
      };
      this.#styles.set(`${attribute(attributes, "family")}:${attribute(attributes, "name")}`, this.#style);
    } else if (name === "text-properties") readLook(this.#style, attributes);
    else if (name === "list-style") this.#list = attribute(attributes, "name") ?? "";
    else if (name === OUTLINE) this.#list = OUTLINE;
    else if (LEVELS.has(name)) this.#levels.set(`${this.#list}:${levelOf(attributes)}`, readLevel(attributes));
    // What follows is no style's.
    else if (name === "list-level-properties") this.#style = {};
  }

  /** @returns {{ isRaised?: boolean, isStruck?: boolean, isHidden?: boolean, list?: string }} */
  find(family, name) {
    const found = {};
    let style = this.#styles.get(`${family}:${name}`);
    for (let depth = 0; style && depth < MAX_STYLE_DEPTH; depth++) {
      for (const key of ["isRaised", "isStruck", "isHidden", "list"]) found[key] ??= style[key];
      style = this.#styles.get(`${family}:${style.parent}`);
    }
    return found;
  }

  /** How numbers look at a level, from 1, of a list style, by default that of headings; undefined for a bullet. */
  level(level, list = OUTLINE) {
    return this.#levels.get(`${list}:${level}`);
  }
}

function readLook(style, attributes) {
  const position = attribute(attributes, "text-position");
  if (position !== undefined) style.isRaised = /^(super|[1-9])/.test(position);
  const line = attribute(attributes, "text-line-through-style") ?? attribute(attributes, "text-line-through-type");
  if (line !== undefined) style.isStruck = line !== "none";
  const display = attribute(attributes, "display");
  if (display !== undefined) style.isHidden = display === "none";
}

function levelOf(attributes) {
  return Math.max(1, toNumber(attribute(attributes, "level"), 1, MAX_LEVEL));
}

function readLevel(attributes) {
  const format = attribute(attributes, "num-format") ?? "";
  return {
    isShown: format !== "",
    format: FORMATS.get(format),
    prefix: attribute(attributes, "num-prefix") ?? "",
    suffix: attribute(attributes, "num-suffix") ?? "",
    shown: Math.max(1, toNumber(attribute(attributes, "display-levels"), 1, MAX_LEVEL)),
    pattern: attribute(attributes, "num-list-format"),
    start: toNumber(attribute(attributes, "start-value"), 1, MAX_NUMBER),
  };
}

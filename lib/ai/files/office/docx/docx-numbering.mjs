import { writeNumber } from "../number-formats.mjs";
import { attribute, isOn, readXml, toNumber } from "../xml.mjs";

const MAX_NUMBER = 1_000_000;

/** What lists a document has. */
export async function readNumbering(zip, part) {
  const definitions = noDefinitions();
  if (part) await readXml(zip.read(part), definitionHandlers(definitions));
  return countNumbers(definitions);
}

/**
 * Levels by `kind:level`, or `num id:level` where a list has its own; the kinds of lists, and where they begin, by `id:level`; kinds
 * by the style that stands for them, and the styles that kinds refer to.
 * @typedef {{ format?: string, text?: string, start?: number, restart?: number, isLegal?: boolean }} Level
 * @returns {{ levels: Map<string, Level>, kinds: Map, starts: Map<string, number>, styles: Map, links: Map }}
 */
export function noDefinitions() {
  return { levels: new Map(), kinds: new Map(), starts: new Map(), styles: new Map(), links: new Map() };
}

/**
 * The numbers of list items and headings, which stand nowhere in the text: counted as they come, written as Word writes them.
 * @param {ReturnType<typeof noDefinitions>} definitions
 */
export function countNumbers(definitions) {
  const counters = new Map();
  return {
    /** @returns {string | undefined} undefined for a bullet, and for what has no number */
    nextNumber(id, atLevel) {
      const kind = kindOf(definitions, id);
      const definition = (level) =>
        definitions.levels.get(`num ${id}:${level}`) ?? definitions.levels.get(`${kind}:${level}`) ?? {};
      if (isUnnumbered(definition(atLevel))) return undefined;
      const counts = counters.get(kind) ?? [];
      counters.set(kind, counts);
      beginDeeper(counts, atLevel, definition);
      // What stands above counts, also when nothing did.
      for (let level = 0; level < atLevel; level++) counts[level] ??= definition(level).start ?? 1;
      const restart = definitions.starts.get(`${id}:${atLevel}`);
      definitions.starts.delete(`${id}:${atLevel}`);
      const next = (counts[atLevel] ?? (definition(atLevel).start ?? 1) - 1) + 1;
      counts[atLevel] = restart ?? next;
      const { text: pattern = `%${atLevel + 1}.`, isLegal } = definition(atLevel);
      const number = pattern.replace(/%([1-9])/g, (_placeholder, digit) =>
        writeNumber(counts[digit - 1] ?? 0, isLegal ? "decimal" : definition(digit - 1).format),
      );
      return number.trim() || undefined;
    },
  };
}

/** A list of its own (`num`) counts on with others of its kind (`abstractNum`), which may be the one of a style. */
function kindOf({ kinds, styles, links }, id) {
  const kind = kinds.get(id);
  return styles.get(links.get(kind)) ?? kind;
}

/** What stands deeper begins anew, unless it says that it counts on, or with which level it begins. */
function beginDeeper(counts, atLevel, definition) {
  for (let level = atLevel + 1; level < counts.length; level++) {
    const restart = definition(level).restart ?? level;
    if (atLevel < restart) counts[level] = undefined;
  }
}

/** A list may say where it begins, and what other levels it has than its kind. */
function definitionHandlers({ levels, kinds, starts, styles, links }) {
  let owner;
  let numId;
  let level = {};
  let overridden = 0;
  return {
    open(name, attributes) {
      const value = attribute(attributes, "val");
      if (name === "abstractNum") owner = attribute(attributes, "abstractNumId");
      else if (name === "lvl") {
        level = {};
        levels.set(`${owner}:${toNumber(attribute(attributes, "ilvl"), 0, 8)}`, level);
      } else if (name === "numFmt") level.format = value;
      else if (name === "lvlText") level.text = value;
      else if (name === "start") level.start = toNumber(value, 1, MAX_NUMBER);
      else if (name === "lvlRestart") level.restart = toNumber(value, 0, 9);
      else if (name === "isLgl") level.isLegal = isOn(value);
      else if (name === "styleLink") styles.set(value, owner);
      else if (name === "numStyleLink") links.set(owner, value);
      else if (name === "num") {
        numId = attribute(attributes, "numId");
        owner = `num ${numId}`;
      } else if (name === "abstractNumId") kinds.set(numId, value);
      else if (name === "lvlOverride") overridden = toNumber(attribute(attributes, "ilvl"), 0, 8);
      else if (name === "startOverride") starts.set(`${numId}:${overridden}`, toNumber(value, 1, MAX_NUMBER));
    },
  };
}

/** A level that nobody defined has a bullet. */
function isUnnumbered({ format }) {
  return format === undefined || format === "bullet" || format === "none";
}

import { writeNumber } from "../number-formats.mjs";
import { attribute } from "../xml.mjs";

/** Lists in a list have its style; one that does not say that it goes on with another one begins anew. */
export function openList({ lists, counts }, attributes) {
  const outer = lists.at(-1);
  const style = attribute(attributes, "style-name") ?? outer?.style ?? "";
  const isGoingOn = attribute(attributes, "continue-numbering") === "true";
  const [id, goesOnWith] = ["id", "continue-list"].map((key) => attribute(attributes, key));
  const before = goesOnWith ? counts.get(`#${goesOnWith}`) : isGoingOn ? counts.get(style) : undefined;
  const list = { style, counts: outer?.counts ?? before ?? [], item: undefined };
  lists.push(list);
  counts.set(style, list.counts);
  if (id) counts.set(`#${id}`, list.counts);
}

/**
 * Counts one further item of a list.
 * @param {number[]} counts of its levels, from index 1
 * @param {(level: number) => object | undefined} definition how numbers look at a level
 * @param {number} [start] where it begins anew
 * @returns {string | undefined} its number; undefined for a bullet
 */
export function countItem(counts, atLevel, definition, start) {
  const { isShown, prefix, suffix, shown, pattern, start: first } = definition(atLevel) ?? {};
  if (first === undefined) return undefined;
  counts.length = Math.min(counts.length, atLevel + 1);
  for (let level = 1; level < atLevel; level++) counts[level] ??= definition(level)?.start ?? 1;
  counts[atLevel] = start ?? (counts[atLevel] ?? first - 1) + 1;
  if (!isShown) return undefined;
  const write = (level) => (definition(level)?.isShown ? writeNumber(counts[level], definition(level).format) : "");
  if (pattern !== undefined) {
    return pattern.replace(/%(\d{1,2})%/g, (_place, level) => (level <= atLevel ? write(Number(level)) : "")).trim();
  }
  const levels = Array.from({ length: Math.min(shown, atLevel) }, (_, index) => atLevel - index).reverse();
  return `${prefix}${levels.map(write).filter(Boolean).join(".")}${suffix}`.trim();
}

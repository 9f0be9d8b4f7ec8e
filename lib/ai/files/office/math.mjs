import { attribute } from "./xml.mjs";

/**
 * A formula of Office (OMML) on one line: fractions with a bar, powers and indices with their marks, roots and brackets. Without them
 * its letters would stand in a row and say something else. Takes the events of the formula's element and of all in it.
 */
export class MathText {
  #frames = [{ parts: new Map(), marks: {}, text: "" }];
  #isText = false;

  open(name, attributes) {
    if (MARKS.has(name)) {
      // They stand in the properties of what they belong to.
      const owner = this.#frames.at(-2);
      if (owner) owner.marks[name] = attribute(attributes, "val") ?? "";
    }
    this.#isText = name === "t";
    this.#frames.push({ parts: new Map(), marks: {}, text: "" });
  }

  text(text) {
    if (this.#isText) this.#frames.at(-1).text += text;
  }

  /** @returns {string | undefined} the formula, once its own element is closed */
  close(name) {
    this.#isText = false;
    const frame = this.#frames.pop();
    const text = STRUCTURES.get(name)?.(frame) ?? frame.text;
    const parent = this.#frames.at(-1);
    parent.text += text;
    const others = parent.parts.get(name);
    if (others) others.push(text);
    else parent.parts.set(name, [text]);
    return this.#frames.length === 1 ? parent.text : undefined;
  }
}

const MARKS = new Set(["chr", "begChr", "endChr", "sepChr"]);

const STRUCTURES = new Map([
  ["f", ({ parts }) => `${group(first(parts, "num"))}/${group(first(parts, "den"))}`],
  ["sSup", ({ parts }) => group(first(parts, "e")) + above(parts)],
  ["sSub", ({ parts }) => group(first(parts, "e")) + below(parts)],
  ["sSubSup", ({ parts }) => group(first(parts, "e")) + below(parts) + above(parts)],
  ["sPre", ({ parts }) => below(parts) + above(parts) + group(first(parts, "e"))],
  ["rad", ({ parts }) => `${first(parts, "deg")}√(${first(parts, "e")})`],
  ["nary", ({ parts, marks }) => `${marks.chr ?? "∫"}${below(parts)}${above(parts)} ${first(parts, "e")}`],
  ["d", ({ parts, marks }) => (marks.begChr ?? "(") + all(parts, "e", marks.sepChr ?? "|") + (marks.endChr ?? ")")],
  ["func", ({ parts }) => `${first(parts, "fName")} ${group(first(parts, "e"))}`],
  ["limLow", ({ parts }) => `${first(parts, "e")}_${group(first(parts, "lim"))}`],
  ["limUpp", ({ parts }) => `${first(parts, "e")}^${group(first(parts, "lim"))}`],
  ["mr", ({ parts }) => all(parts, "e", ", ")],
  ["m", ({ parts }) => `[${all(parts, "mr", "; ")}]`],
  ["eqArr", ({ parts }) => all(parts, "e", "; ")],
]);

function all(parts, name, separator) {
  return (parts.get(name) ?? []).join(separator);
}

function first(parts, name) {
  return parts.get(name)?.[0] ?? "";
}

function above(parts) {
  const text = first(parts, "sup");
  return text === "" ? "" : `^${group(text)}`;
}

function below(parts) {
  const text = first(parts, "sub");
  return text === "" ? "" : `_${group(text)}`;
}

/** What is more than one number or name is held together; what stands in brackets is already. */
export function group(text) {
  return /^([\p{L}\p{M}\p{N}.,]*|\([^()]*\))$/u.test(text.trim()) ? text.trim() : `(${text})`;
}

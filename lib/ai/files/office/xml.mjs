import { SaxesParser } from "saxes";
import { Unreadable } from "./unreadable.mjs";

/**
 * Reads XML as a stream of events: `open(name, attributes)`, `close(name)`, `text(text)`, with names without their
 * prefix. Office documents have no document type, so one is refused: nothing defines entities, nothing is looked up.
 * @param {AsyncIterable<Uint8Array>} chunks
 * @param {{ open?: Function, close?: Function, text?: Function }} handlers
 * @param {() => boolean} isDone asked between pieces: true ends the reading
 * @throws {Unreadable}
 */
export async function readXml(chunks, handlers, isDone = () => false) {
  const parser = createParser(handlers);
  let decoder;
  try {
    for await (const chunk of chunks) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      parser.write(decoder.decode(chunk, { stream: true }));
      if (isDone()) return;
    }
    parser.write(decoder?.decode() ?? "").close();
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable("broken", String(error));
  }
}

/**
 * The same of a part beside the document's own text: where it is damaged, what was read before that stays, and the rest of
 * the document is read all the same.
 * @returns {Promise<boolean>} whether all of it was read
 * @throws {Unreadable} for any other reason
 */
export async function readAside(chunks, handlers, isDone) {
  try {
    await readXml(chunks, handlers, isDone);
    return true;
  } catch (error) {
    if (error instanceof Unreadable && error.failure === "broken") return false;
    throw error;
  }
}

/** Documents nest some dozens deep. */
const MAX_DEPTH = 1_000;

function createParser({ open, close, text }) {
  let depth = 0;
  const parser = new SaxesParser({ position: false });
  parser.on("error", (error) => {
    throw new Unreadable("broken", error.message);
  });
  parser.on("doctype", () => {
    throw new Unreadable("hostile", "a document type in an Office document");
  });
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new Unreadable("hostile", "elements nested too deep");
    open?.(localName(tag.name), tag.attributes);
  });
  parser.on("closetag", (tag) => {
    depth -= 1;
    close?.(localName(tag.name));
  });
  if (text) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  return parser;
}

function localName(name) {
  return name.slice(name.indexOf(":") + 1);
}

function encodingOf(chunk) {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return "utf-16le";
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return "utf-16be";
  return "utf-8";
}

/** An attribute by its name without prefix; one without prefix goes first. */
export function attribute(attributes, name) {
  if (attributes[name] !== undefined) return attributes[name];
  const key = Object.keys(attributes).find((candidate) => candidate.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}

/** The `r:id` of an element, which may have an `id` of its own beside it. */
export function relationId(attributes) {
  const key = Object.keys(attributes).find((candidate) => candidate.endsWith(":id"));
  return key === undefined ? undefined : attributes[key];
}

/** A whole number from 0 to `max`; `fallback` for anything else. */
export function toNumber(value, fallback, max) {
  const number = Number(value ?? Number.NaN);
  return Number.isInteger(number) && number >= 0 ? Math.min(number, max) : fallback;
}

/** Of an element that switches something on, which says nothing then. */
export function isOn(value) {
  return value === undefined || !/^(0|false|off|none)$/.test(value);
}

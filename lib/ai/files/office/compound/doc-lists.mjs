import { noDefinitions } from "../docx/docx-numbering.mjs";
import { BLOCKS } from "./doc-file.mjs";
import { readSprms } from "./doc-sprms.mjs";

const LIST_BYTES = 28;
const SIMPLE = 1;
const LEVELS = 9;
const LEVEL_BYTES = 28;
const OVERRIDE_BYTES = 16;
/** Beyond these no writer goes; a count that is larger was made up. */
const MAX_LISTS = 10_000;

/** As Word names them today; the others are read as decimals. */
const FORMATS = new Map([
  [1, "upperRoman"],
  [2, "lowerRoman"],
  [3, "upperLetter"],
  [4, "lowerLetter"],
  [22, "decimalZero"],
  [23, "bullet"],
  [58, "russianLower"],
  [59, "russianUpper"],
  [255, "none"],
]);

/** The lists of a document of Word 97 to 2003, as countNumbers takes them. */
export function readLists(doc) {
  const definitions = noDefinitions();
  const lists = doc.block(BLOCKS.lists);
  if (lists.length > 0) readKinds(doc, lists, definitions);
  const overrides = doc.block(BLOCKS.listOverrides);
  if (overrides.length > 0) readOverrides(overrides, definitions);
  return definitions;
}

/** Their levels follow behind what the head counts as theirs. */
function readKinds(doc, lists, { levels }) {
  const count = Math.min(lists.readUInt16LE(0), MAX_LISTS);
  const cursor = { bytes: doc.table.subarray(lists.byteOffset - doc.table.byteOffset), offset: 2 + count * LIST_BYTES };
  for (let index = 0; index < count; index++) {
    const at = 2 + index * LIST_BYTES;
    const kind = lists.readInt32LE(at);
    const isSimple = (lists[at + 26] & SIMPLE) !== 0;
    for (let level = 0; level < (isSimple ? 1 : LEVELS); level++) levels.set(`${kind}:${level}`, readLevel(cursor));
  }
}

function readLevel(cursor) {
  const { bytes, offset } = cursor;
  const [start, format, flags] = [bytes.readInt32LE(offset), bytes[offset + 4], bytes[offset + 5]];
  const [characterBytes, paragraphBytes, limit] = bytes.subarray(offset + 24, offset + 27);
  const textAt = offset + LEVEL_BYTES + characterBytes + paragraphBytes;
  const textEnd = textAt + 2 + bytes.readUInt16LE(textAt) * 2;
  cursor.offset = textEnd;
  const text = bytes.toString("utf16le", textAt + 2, textEnd);
  return {
    start,
    format: FORMATS.get(format) ?? "decimal",
    isLegal: (flags & 0x04) !== 0,
    // It counts on behind others than those right above it.
    ...((flags & 0x08) !== 0 && { restart: limit }),
    // Where a level's number goes stands the level's own number.
    text: text.replace(/[\0-\x08]/g, (level) => `%${level.charCodeAt(0) + 1}`),
  };
}

/** What paragraphs refer to: a list, and where it begins anew. */
function readOverrides(overrides, { kinds, starts, levels }) {
  const count = Math.min(overrides.readUInt32LE(0), MAX_LISTS);
  const cursor = { bytes: overrides, offset: 4 + count * OVERRIDE_BYTES };
  for (let id = 1; id <= count; id++) {
    const at = 4 + (id - 1) * OVERRIDE_BYTES;
    kinds.set(id, overrides.readInt32LE(at));
    cursor.offset += 4;
    for (let left = overrides[at + 12]; left > 0; left--) {
      const [start, flags] = [overrides.readInt32LE(cursor.offset), overrides.readUInt32LE(cursor.offset + 4)];
      const level = flags & 0x0f;
      cursor.offset += 8;
      if ((flags & 0x20) !== 0) levels.set(`num ${id}:${level}`, readLevel(cursor));
      if ((flags & 0x10) !== 0) starts.set(`${id}:${level}`, start);
    }
  }
}

const PARAGRAPH_STYLE = 1;
const NO_STYLE = 0xfff;
const TITLE = 62;
const OUTLINE_LEVEL = 0x2640;
const LIST = 0x460b;
const LIST_LEVEL = 0x260a;
/** How many styles one may build upon; more is a ring. */
const MAX_STYLE_DEPTH = 12;

/** What the paragraph styles say of headings and lists, by number. */
export function readDocStyles(doc) {
  const block = doc.block(BLOCKS.styles);
  const styles = [];
  if (block.length < 6) return () => ({});
  const [count, baseBytes] = [block.readUInt16LE(2), block.readUInt16LE(4)];
  let offset = 2 + block.readUInt16LE(0);
  for (let index = 0; index < count && offset + 2 <= block.length; index++) {
    const length = block.readUInt16LE(offset);
    const style = block.subarray(offset + 2, offset + 2 + length);
    if (length > baseBytes) styles[index] = readStyle(style, baseBytes);
    offset += 2 + length;
  }
  return (number) => resolveStyle(styles, number);
}

function readStyle(style, baseBytes) {
  const builtIn = style.readUInt16LE(0) & 0xfff;
  const kind = style.readUInt16LE(2);
  if ((kind & 0x0f) !== PARAGRAPH_STYLE) return {};
  const at = baseBytes + 4 + style.readUInt16LE(baseBytes) * 2;
  const own = at + 4 <= style.length ? style.subarray(at + 4, at + 2 + style.readUInt16LE(at)) : Buffer.alloc(0);
  const heading = builtIn === TITLE ? 1 : builtIn >= 1 && builtIn <= 9 ? builtIn : undefined;
  return { basedOn: kind >> 4, heading, ...listOf(readSprms(own)) };
}

/** @returns {{ heading?: number, list?: number, level?: number }} */
export function listOf(sprms) {
  const outline = sprms.get(OUTLINE_LEVEL)?.[0];
  const list = sprms.get(LIST)?.readUInt16LE(0);
  const level = sprms.get(LIST_LEVEL)?.[0];
  return {
    ...(outline !== undefined && outline < 9 && { heading: outline + 1 }),
    ...(list !== undefined && { list }),
    ...(level !== undefined && { level: Math.min(level, 8) }),
  };
}

function resolveStyle(styles, number) {
  const found = {};
  let at = number;
  for (let depth = 0; at !== NO_STYLE && styles[at] && depth < MAX_STYLE_DEPTH; depth++) {
    const style = styles[at];
    found.heading ??= style.heading;
    found.list ??= style.list;
    found.level ??= style.level;
    at = style.basedOn;
  }
  return found;
}

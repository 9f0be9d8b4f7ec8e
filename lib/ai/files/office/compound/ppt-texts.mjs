import { records } from "./ppt-file.mjs";

const HEADER = 0x0f9f;
const WIDE = 0x0fa0;
const NARROW = 0x0fa8;
const STYLES = 0x0fa1;
/** Where the slide's number, a date, a head or foot is to stand: for each a star is in the text. */
const FIELDS_IN_TEXT = new Set([0x0fd8, 0x0ff7, 0x0ff8, 0x0ff9, 0x0ffa, 0x1015]);

/** What a text is on its slide. */
export const TEXT_KINDS = { title: 0, body: 1, notes: 2, centreTitle: 6, halfBody: 7, quarterBody: 8 };
const BULLETED = new Set([TEXT_KINDS.body, TEXT_KINDS.halfBody, TEXT_KINDS.quarterBody]);

/**
 * The texts of a stretch: `{ kind, paragraphs: [{ text, level, isBulleted }] }`.
 * @param data of the records beside each other
 */
export function readTexts(data) {
  const texts = [];
  for (const record of records(data)) {
    if (record.type === HEADER && record.data.length >= 4)
      texts.push({ kind: record.data.readUInt32LE(0), letters: "", fields: new Set() });
    const last = texts.at(-1);
    if (!last) continue;
    if (record.type === WIDE) last.letters = record.data.toString("utf16le");
    else if (record.type === NARROW) last.letters = record.data.toString("latin1");
    else if (record.type === STYLES) last.styles = record.data;
    else if (FIELDS_IN_TEXT.has(record.type) && record.data.length >= 4) last.fields.add(record.data.readUInt32LE(0));
  }
  return texts.map((text) => ({ kind: text.kind, paragraphs: paragraphsOf(text) }));
}

function paragraphsOf({ letters, kind, styles, fields }) {
  const looks = readLooks(styles, letters.length + 1);
  let at = 0;
  let run = 0;
  return letters.split("\r").map((text) => {
    while (run < looks.length - 1 && at >= looks[run].end) run += 1;
    const from = at;
    at += text.length + 1;
    const { level = 0, isBulleted = BULLETED.has(kind) } = looks[run] ?? {};
    const said =
      fields.size === 0 ? text : text.replace(/\*/g, (star, index) => (fields.has(from + index) ? "" : star));
    return { text: said.replaceAll("\v", "\n"), level, isBulleted };
  });
}

/** Of what a run of paragraphs may state, in the order in which it stands: what says so, and how many bytes it has. */
const BULLET_FLAGS = 0xf;
const FIELDS = [
  [BULLET_FLAGS, 2],
  [1 << 7, 2],
  [1 << 4, 2],
  [1 << 6, 2],
  [1 << 5, 4],
  [1 << 11, 2],
  [1 << 12, 2],
  [1 << 13, 2],
  [1 << 14, 2],
  [1 << 8, 2],
  [1 << 10, 2],
  [1 << 15, 2],
];
const TABS = 1 << 20;
const LATER_FIELDS = [
  [1 << 16, 2],
  [7 << 17, 2],
  [1 << 21, 2],
];
const MAX_LEVEL = 8;

/** How deep runs of paragraphs stand, and whether with a bullet where that is said; a damaged one ends the list. */
function readLooks(styles, length) {
  const looks = [];
  if (!styles) return looks;
  let at = 0;
  try {
    for (let end = 0; end < length; ) {
      end += styles.readUInt32LE(at);
      const level = Math.min(styles.readUInt16LE(at + 4), MAX_LEVEL);
      const mask = styles.readUInt32LE(at + 6);
      const isBulleted = mask & 1 ? (styles.readUInt16LE(at + 10) & 1) === 1 : undefined;
      at += 10 + sizeOf(FIELDS, mask);
      if (mask & TABS) at += 2 + styles.readUInt16LE(at) * 4;
      at += sizeOf(LATER_FIELDS, mask);
      looks.push({ end, level, isBulleted });
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return looks;
}

function sizeOf(fields, mask) {
  return fields.reduce((sum, [bits, bytes]) => sum + (mask & bits ? bytes : 0), 0);
}

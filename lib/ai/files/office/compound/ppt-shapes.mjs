import { deepRecords, findRecord, records } from "./ppt-file.mjs";
import { readTexts } from "./ppt-texts.mjs";

const DRAWING = 0x040c;
const GROUP = 0xf003;
const SHAPE = 0xf004;
const SHAPE_ATOM = 0xf00a;
const TEXT_BOX = 0xf00d;
const CLIENT_DATA = 0xf011;
const PLACE_IN_GROUP = 0xf00f;
const LATER_PROPERTIES = 0xf122;
const OUTLINE_REFERENCE = 0x0f9e;
const PLACEHOLDER = 0x0bc3;
const OBJECT_REFERENCE = 0x0bc1;
const PICTURE_FRAME = 75;
const TABLE_PROPERTY = 0x039f;
const PROPERTY_BYTES = 6;
const LATER_PLACEHOLDER = 0x0420;
/** Date, number, foot and head, which stand on every slide. */
const REPEATED = new Set([7, 8, 9, 10]);
const MAX_DEPTH = 32;

/**
 * What stands on a slide, in its order: `{ texts }`, or `{ rows }` of a table, each cell the texts in it.
 * @param listed texts of the slide that stand in the document's list; those that no shape names follow
 * @param skipped counts pictures and embedded files
 */
export function readShapes(slide, listed, skipped) {
  const found = [];
  const named = new Set();
  const read = { listed, named, skipped };
  for (const { data } of deepRecords(slide, DRAWING)) readGroup(data, read, found, 0);
  const rest = listed.filter((_, index) => !named.has(index));
  return rest.length > 0 ? [...found, { texts: rest }] : found;
}

function readGroup(data, read, found, depth) {
  if (depth > MAX_DEPTH) return;
  for (const record of records(data)) {
    if (record.type === SHAPE) {
      const texts = readShape(record.data, read);
      if (texts.length > 0) found.push({ texts });
    } else if (record.type === GROUP && isTable(record.data)) found.push({ rows: readTable(record.data, read) });
    else if (record.isContainer) readGroup(record.data, read, found, depth + 1);
  }
}

function readShape(shape, { listed, named, skipped }) {
  const client = findRecord(shape, CLIENT_DATA)?.data;
  if (client && findRecord(client, OBJECT_REFERENCE)) skipped.embeddedFiles += 1;
  else if (findRecord(shape, SHAPE_ATOM)?.instance === PICTURE_FRAME) skipped.pictures += 1;
  const box = findRecord(shape, TEXT_BOX)?.data;
  if (!box) return [];
  const reference = findRecord(box, OUTLINE_REFERENCE)?.data;
  const index = reference && reference.length >= 4 ? reference.readUInt32LE(0) : -1;
  if (index >= 0) named.add(index);
  if (client && isRepeated(client)) return [];
  return index >= 0 ? listed.slice(index, index + 1) : readTexts(box);
}

/** PowerPoint 2007 says it in a record of its own. */
function isRepeated(client) {
  const [placeholder, later] = [PLACEHOLDER, LATER_PLACEHOLDER].map((type) => findRecord(client, type)?.data);
  return REPEATED.has(placeholder?.[4]) || REPEATED.has(later?.[0]);
}

/** The shape that stands for a group says of itself what the group is. */
function isTable(group) {
  const properties = findRecord(findRecord(group, SHAPE)?.data ?? Buffer.alloc(0), LATER_PROPERTIES);
  if (!properties) return false;
  const { data, instance: count } = properties;
  for (let at = 0; at + PROPERTY_BYTES <= Math.min(data.length, count * PROPERTY_BYTES); at += PROPERTY_BYTES) {
    if ((data.readUInt16LE(at) & 0x3fff) === TABLE_PROPERTY) return (data.readUInt32LE(at + 2) & 1) === 1;
  }
  return false;
}

/** Its cells are shapes, and where they lie says in which row; a cell over several rows stands in its first. */
function readTable(group, read) {
  const cells = [];
  for (const { type, data } of records(group)) {
    const place = type === SHAPE ? findRecord(data, PLACE_IN_GROUP)?.data : undefined;
    if (!place || place.length < 16 || !findRecord(data, TEXT_BOX)) continue;
    cells.push({ left: place.readInt32LE(0), top: place.readInt32LE(4), texts: readShape(data, read) });
  }
  const rows = Map.groupBy(cells, ({ top }) => top);
  const inOrder = [...rows].toSorted(([a], [b]) => a - b);
  return inOrder.map(([, row]) => row.toSorted((a, b) => a.left - b.left).map(({ texts }) => texts));
}

// Plain JavaScript, since a worker runs it from its source.
import { isWinmail } from "./is-winmail.mjs";
import { readRich } from "./outlook-message.mjs";
import { readProperties } from "./winmail-properties.mjs";

const HEAD_BYTES = 6;
const ATTRIBUTE_HEAD_BYTES = 9;
const SUM_BYTES = 2;

/** Numbers of attributes, with the kind of their value in front. */
const CODE_PAGE = 0x00069007;
const TITLE = 0x00018004;
const BODY = 0x0002800c;
const MESSAGE_PROPERTIES = 0x00069003;
const FILE_BEGINS = 0x00069002;
const FILE_TITLE = 0x00018010;
const FILE_DATA = 0x0006800f;
const FILE_PROPERTIES = 0x00069005;

/** Numbers of properties. */
const SUBJECT = 0x0037;
const SENDER = 0x0c1a;
const TEXT = 0x1000;
const RICH_TEXT = 0x1009;
const PAGE = 0x1013;
const DATA = 0x3701;
const SHORT_NAME = 0x3704;
const LONG_NAME = 0x3707;
const MEDIA_TYPE = 0x370e;
/** What the object in a file's data is, before the object itself. */
const OBJECT_KIND_BYTES = 16;

/**
 * What such a file holds: others than Outlook get it instead of the files that were sent to them.
 * @returns {{ subject: string, sender: string, page: string | Uint8Array, text: string, files: { name: string, contentType: string, bytes: Uint8Array }[] }}
 *   as much as there is before damage
 */
export function readWinmail(source) {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const found = { codePage: "windows-1252", title: "", body: "", properties: new Map(), files: [] };
  for (const { number, data } of attributesOf(bytes)) takeAttribute(found, number, data);
  const { properties } = found;
  const words = (number) => wordsOf(properties.get(number), found.codePage);
  const page = properties.get(PAGE);
  const rich = properties.get(RICH_TEXT)?.bytes;
  return {
    subject: words(SUBJECT) || found.title,
    sender: words(SENDER),
    page: page?.isWide ? wordsOf(page, found.codePage) : (page?.bytes ?? ""),
    text: words(TEXT) || found.body || (page === undefined && rich ? readRich(rich) : ""),
    files: found.files.flatMap((file) => fileOf(file, found.codePage)),
  };
}

function* attributesOf(bytes) {
  for (let at = HEAD_BYTES; at + ATTRIBUTE_HEAD_BYTES <= bytes.length; ) {
    const start = at + ATTRIBUTE_HEAD_BYTES;
    const end = start + bytes.readUInt32LE(at + 5);
    yield { number: bytes.readUInt32LE(at + 1), data: bytes.subarray(start, end) };
    at = end + SUM_BYTES;
  }
}

function takeAttribute(found, number, data) {
  const file = found.files.at(-1);
  if (number === CODE_PAGE && data.length >= 4) found.codePage = `windows-${data.readUInt32LE(0)}`;
  else if (number === TITLE) found.title = decode(data, found.codePage);
  else if (number === BODY) found.body = decode(data, found.codePage);
  else if (number === MESSAGE_PROPERTIES) found.properties = readProperties(data);
  else if (number === FILE_BEGINS) found.files.push({ properties: new Map() });
  else if (number === FILE_TITLE && file) file.title = data;
  else if (number === FILE_DATA && file) file.data = data;
  else if (number === FILE_PROPERTIES && file) file.properties = readProperties(data);
}

function fileOf({ title, data, properties }, codePage) {
  const words = (number) => wordsOf(properties.get(number), codePage);
  const object = properties.get(DATA)?.bytes;
  // A message in the message stands behind what says that it is one.
  const inner = object?.subarray(OBJECT_KIND_BYTES);
  const bytes = inner && isWinmail(inner) ? inner : (data ?? object);
  if (!bytes?.length) return [];
  const name = words(LONG_NAME) || (title ? decode(title, codePage) : "") || words(SHORT_NAME) || "(unnamed)";
  return [{ name, contentType: words(MEDIA_TYPE), bytes: new Uint8Array(bytes) }];
}

function wordsOf(property, codePage) {
  return property ? decode(property.bytes, property.isWide ? "utf-16le" : codePage) : "";
}

/** Of a code page that nobody knows, as of the West. */
function decode(bytes, codePage) {
  return decoderOf(codePage)
    .decode(bytes)
    .replace(/\0[\s\S]*$/, "");
}

function decoderOf(codePage) {
  try {
    return new TextDecoder(codePage === "windows-932" ? "shift_jis" : codePage);
  } catch {
    return new TextDecoder("windows-1252");
  }
}

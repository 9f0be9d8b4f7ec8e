// Plain JavaScript, since a worker runs it from its source.

/** Bytes that a value of a kind takes; others say how many. */
const SIZES = new Map([
  [0x02, 4],
  [0x03, 4],
  [0x04, 4],
  [0x0a, 4],
  [0x0b, 4],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
]);
const LONG_KINDS = new Set([0x0d, 0x1e, 0x1f, 0x102]);
const WIDE_TEXT = 0x1f;
const MANY = 0x1000;
const FIRST_NAMED = 0x8000;
const GUID_BYTES = 16;

/**
 * The properties of a message or of a file in it, as Outlook packs them (MAPI): those that say their length, by their numbers.
 * @returns {Map<number, { isWide: boolean, bytes: Buffer }>} as many as there are before damage
 */
export function readProperties(data) {
  const found = new Map();
  const reader = { data, at: 4 };
  const count = data.length < 4 ? 0 : data.readUInt32LE(0);
  try {
    for (let index = 0; index < count; index++) readProperty(reader, found);
  } catch {
    // What came before the damage is there.
  }
  return found;
}

function readProperty(reader, found) {
  const kind = take(reader, 2).readUInt16LE(0);
  const number = take(reader, 2).readUInt16LE(0);
  if (number >= FIRST_NAMED) skipName(reader);
  const single = kind & ~MANY;
  const isLong = LONG_KINDS.has(single);
  const values = isLong || kind & MANY ? takeNumber(reader) : 1;
  for (let index = 0; index < values; index++) {
    if (!isLong) take(reader, sizeOf(single));
    else {
      const bytes = takePadded(reader);
      if (!found.has(number)) found.set(number, { isWide: single === WIDE_TEXT, bytes });
    }
  }
}

function skipName(reader) {
  take(reader, GUID_BYTES);
  if (takeNumber(reader) === 0) take(reader, 4);
  else takePadded(reader);
}

function sizeOf(kind) {
  const size = SIZES.get(kind);
  if (size === undefined) throw new Error("a value of an unknown kind");
  return size;
}

function take(reader, count) {
  const end = reader.at + count;
  if (end > reader.data.length) throw new Error("broken off");
  const bytes = reader.data.subarray(reader.at, end);
  reader.at = end;
  return bytes;
}

const takeNumber = (reader) => take(reader, 4).readUInt32LE(0);

function takePadded(reader) {
  const bytes = take(reader, takeNumber(reader));
  reader.at += (4 - (bytes.length % 4)) % 4;
  return bytes;
}

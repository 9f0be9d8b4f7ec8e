/** Bytes of an operand by its kind, the top three bits of a property's code; of the seventh kind it says its own length. */
const OPERAND_BYTES = [1, 1, 2, 4, 2, 2, undefined, 3];
const TABLE_DEFINITION = 0xd608;

/**
 * Properties of text as Word 97 saves them (sprms): each a code and an operand.
 * @param {Buffer} bytes all of it
 * @returns {Map<number, Buffer>} operands by code, without their lengths; of a code that comes twice, the last
 */
export function readSprms(bytes) {
  const found = new Map();
  let offset = 0;
  while (offset + 2 < bytes.length) {
    const code = bytes.readUInt16LE(offset);
    offset += 2;
    let length = OPERAND_BYTES[code >> 13];
    if (code === TABLE_DEFINITION) {
      length = bytes.readUInt16LE(offset) - 1;
      offset += 2;
    } else if (length === undefined) {
      length = bytes[offset];
      offset += 1;
    }
    found.set(code, bytes.subarray(offset, offset + length));
    offset += length;
  }
  return found;
}

/** A property that is on or off; absent counts as off. */
export function isSet(sprms, code) {
  return ((sprms.get(code)?.[0] ?? 0) & 1) === 1;
}

const PNG_MARK_BYTES = 8;
/** Length, name and checksum. */
const CHUNK_FRAME_BYTES = 12;
const RIFF_HEAD_BYTES = 8;

/**
 * Whether a PNG or WebP ends before it says that it does. Such a picture cannot be decoded; of the other kinds what is there of
 * it can.
 */
export function isImageCutOff(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.toString("latin1", 1, 4) === "PNG") return !hasPngEnd(buffer);
  const isWebp = buffer.toString("latin1", 0, 4) === "RIFF" && buffer.length > RIFF_HEAD_BYTES;
  return isWebp && buffer.readUInt32LE(4) + RIFF_HEAD_BYTES > buffer.length;
}

/** "IEND" */
const LAST_CHUNK = 0x49454e44;

/** Walks the chunks, whatever comes behind the last. By number: a name as text for each of millions holds the server up. */
function hasPngEnd(buffer: Buffer): boolean {
  for (let offset = PNG_MARK_BYTES; offset + CHUNK_FRAME_BYTES <= buffer.length; ) {
    if (buffer.readUInt32BE(offset + 4) === LAST_CHUNK) return true;
    offset += CHUNK_FRAME_BYTES + buffer.readUInt32BE(offset);
  }
  return false;
}

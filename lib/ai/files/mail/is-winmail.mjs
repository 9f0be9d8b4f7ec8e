// Plain JavaScript, since a worker runs it from its source.

const SIGNATURE = 0x223e9f78;
const HEAD_BYTES = 6;

/** Whether bytes are a message and its files as Outlook packs them for itself (TNEF, winmail.dat). */
export function isWinmail(bytes) {
  return bytes.length >= HEAD_BYTES && Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32LE(0) === SIGNATURE;
}

const COMPOUND = Buffer.from("d0cf11e0a1b11ae1", "hex");

/** Whether these bytes are the container of the old Office formats and of messages of Outlook. */
export function isCompound(bytes) {
  return COMPOUND.equals(bytes.subarray(0, COMPOUND.length));
}

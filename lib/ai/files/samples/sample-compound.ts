/** The container of old Office formats with an entry of this name and nothing in it, for tests. */
export function compoundFile(entry: string): Buffer {
  const head = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  return Buffer.concat([head, Buffer.alloc(504), Buffer.from(entry, "utf16le"), Buffer.alloc(512)]);
}

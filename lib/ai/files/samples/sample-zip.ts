import { crc32, deflateRawSync } from "node:zlib";

/** Archives written by hand, for tests: small, and wrong in just the way a test wants. */
export interface ZipEntry {
  name: string;
  content: string | Uint8Array;
  /** Bit 0 of its flags, as for a password. */
  isEncrypted?: boolean;
  /** What the directory says of its size, when that is a lie. */
  statedBytes?: number;
}

/** An archive of these entries in this order, compressed. */
export function buildZip(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isEncrypted = false, statedBytes } of entries) {
    const bytes = Buffer.from(content as string);
    const data = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 + (isEncrypted ? 1 : 0), 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(statedBytes ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, Buffer.from(name), data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), common, tail, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, index, end]);
}

/** The entries of a record of names and texts. */
export function zipEntries(parts: Record<string, string | Uint8Array>): ZipEntry[] {
  return Object.entries(parts).map(([name, content]) => ({ name, content }));
}

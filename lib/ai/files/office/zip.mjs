import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import yauzl from "yauzl";
import { askRange } from "../reader/ask-server.mjs";
import { Unreadable } from "./unreadable.mjs";

const MAX_ENTRIES = 10_000;
/** Of all that is read of one archive, unpacked. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** What grows more than this is no document. */
const MAX_RATIO = 200;
/** Small parts may well be mostly blanks. */
const RATIO_FREE_BYTES = 16 * 1024 * 1024;

/**
 * An archive whose parts are unpacked one at a time, as streams. Archives inside of it stay closed, and no name in it
 * becomes a path.
 */
export class ZipParts {
  #zip;
  #entries = new Map();
  /** By their names in small letters. */
  #names = new Map();
  #unpackedBytes = 0;

  /** @param {{ bytes: Uint8Array, size?: number }} source with a size, it is asked for what is read @throws {Unreadable} */
  static async open({ bytes, size }) {
    const parts = new ZipParts();
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    try {
      const open = size === undefined ? openArchive(buffer) : openRanges(size);
      await parts.#readDirectory(await open);
    } catch (error) {
      throw error instanceof Unreadable ? error : new Unreadable("broken", String(error));
    }
    return parts;
  }

  async #readDirectory(zip) {
    this.#zip = zip;
    if (this.#zip.entryCount > MAX_ENTRIES) throw new Unreadable("hostile", `${this.#zip.entryCount} entries`);
    for await (const entry of this.#zip.eachEntry()) {
      // Two parts of one name: each reader would see another document.
      if (this.#entries.has(entry.fileName)) throw new Unreadable("hostile", "two entries have one name");
      this.#entries.set(entry.fileName, entry);
      const small = entry.fileName.toLowerCase();
      if (!this.#names.has(small)) this.#names.set(small, entry);
    }
  }

  /** Office programs take "SharedStrings.xml" for "sharedStrings.xml", as some others write it. */
  #find(name) {
    return this.#entries.get(name) ?? this.#names.get(name.toLowerCase());
  }

  has(name) {
    return this.#find(name) !== undefined;
  }

  /** Bytes of a part once it is unpacked, as the directory says. */
  sizeOf(name) {
    return this.#find(name)?.uncompressedSize ?? 0;
  }

  names() {
    return [...this.#entries.keys()];
  }

  /**
   * The bytes of a part, in pieces.
   * @throws {Unreadable} when it is not there, locked, damaged, or grows out of all measure
   */
  async *read(name) {
    const entry = this.#find(name);
    if (!entry) throw new Unreadable("broken", "a part is missing");
    checkGrowth(entry);
    let sum = 0;
    try {
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        sum = crc32(chunk, sum);
        this.#unpackedBytes += chunk.length;
        if (this.#unpackedBytes > MAX_UNPACKED_BYTES) throw new Unreadable("hostile", "too much to unpack");
        yield chunk;
      }
      // What was damaged unpacks all the same at times, into other words and numbers.
      if (sum !== entry.crc32) throw new Unreadable("broken", "a part's sum is wrong");
    } catch (error) {
      throw error instanceof Unreadable ? error : new Unreadable("broken", String(error));
    }
  }

  /** A part of at most `maxBytes`; undefined when it is larger. */
  async readBytes(name, maxBytes) {
    const bytes = await this.#readSome(name, maxBytes);
    return bytes.length > maxBytes ? undefined : bytes;
  }

  /** A small part as text, or the beginning of a larger one. */
  async readText(name, maxBytes) {
    return (await this.#readSome(name, maxBytes)).toString("utf8", 0, maxBytes);
  }

  /** All of a part, or a little more than `maxBytes` of it. */
  async #readSome(name, maxBytes) {
    const chunks = [];
    let length = 0;
    for await (const chunk of this.read(name)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
    return Buffer.concat(chunks);
  }
}

function checkGrowth(entry) {
  if (entry.isEncrypted()) throw new Unreadable("encrypted", "an entry is encrypted");
  const { compressedSize, uncompressedSize } = entry;
  if (uncompressedSize > RATIO_FREE_BYTES && uncompressedSize > compressedSize * MAX_RATIO) {
    throw new Unreadable("hostile", `${compressedSize} bytes become ${uncompressedSize}`);
  }
}

const openBuffer = (buffer) => yauzl.fromBufferPromise(buffer, { autoClose: false });
const openArchive = (buffer) => openBuffer(buffer).catch(() => openBuffer(withoutTail(buffer)));

const openRanges = (size) => yauzl.fromRandomAccessReaderPromise(new AskedReader(), size, { autoClose: false });

/** Of what is asked for at once. */
const RANGE_BYTES = 512 * 1024;

class AskedReader extends yauzl.RandomAccessReader {
  _readStreamForRange(start, end) {
    return Readable.from(ranges(start, end), { objectMode: false });
  }
}

async function* ranges(start, end) {
  for (let at = start; at < end; at += RANGE_BYTES) {
    yield askRange(at, Math.min(at + RANGE_BYTES, end));
  }
}

const END_SIGNATURE = "PK\x05\x06";
const END_BYTES = 22;

/** Clients leave a line's end behind what they send, and storage fills up with zeros: office programs pass over both. */
function withoutTail(buffer) {
  const end = buffer.lastIndexOf(END_SIGNATURE, "latin1");
  if (end < 0 || end + END_BYTES > buffer.length) return buffer;
  return buffer.subarray(0, end + END_BYTES + buffer.readUInt16LE(end + END_BYTES - 2));
}

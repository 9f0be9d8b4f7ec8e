import { Unreadable } from "../unreadable.mjs";
import { attribute } from "../xml.mjs";

/** Of all files inside of one document, unpacked. */
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_FILES = 100;

/**
 * The files inside of a document whose text belongs to it (altChunk): programs that make documents of web pages, or of other
 * documents, leave it to Word to take them in.
 */
export class Inserts {
  #zip;
  #relations;
  #names = [];

  constructor(zip, relations) {
    this.#zip = zip;
    this.#relations = relations;
  }

  /** @returns {string | undefined} what stands where the text of one belongs: characters that XML cannot hold; undefined where there is no such file, or are too many */
  markOf(attributes) {
    const name = this.#relations.get(attribute(attributes, "id") ?? "")?.target;
    if (name === undefined || !this.#zip.has(name) || this.#names.length === MAX_FILES) return undefined;
    return `\0${this.#names.push(name) - 1}\0`;
  }

  /**
   * All of them in the order of their marks: the text of documents, the bytes of others, null for what cannot be read.
   * @param {(bytes: Uint8Array) => Promise<{ sections: { text: string }[], isCut: boolean, skipped: object }>} readDocument
   */
  async read(readDocument) {
    const found = [];
    let left = MAX_BYTES;
    for (const name of this.#names) {
      const bytes = await orNull(this.#zip.readBytes(name, left));
      left -= bytes?.length ?? 0;
      found.push(bytes?.toString("latin1", 0, 2) === "PK" ? await orNull(readDocument(bytes)) : bytes && { bytes });
    }
    return found;
  }
}

async function orNull(reading) {
  try {
    return (await reading) ?? null;
  } catch (error) {
    if (error instanceof Unreadable && error.failure !== "hostile") return null;
    throw error;
  }
}

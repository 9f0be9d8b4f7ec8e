import { Unreadable } from "../unreadable.mjs";

/** Records of a presentation of PowerPoint 97 to 2003, by the numbers that Microsoft's description gives them. */
export const TYPES = {
  slide: 0x03ee,
  slideAtom: 0x03ef,
  slidePersist: 0x03f3,
  slideShow: 0x03f9,
  list: 0x0ff0,
  userEdit: 0x0ff5,
  persistDirectory: 0x1772,
  /** What later versions added, in records of its own. */
  additions: 0x138b,
};

const HEADER_BYTES = 8;
const CONTAINER = 15;
/** Records stand in each other some ten deep. */
const MAX_DEPTH = 32;

/**
 * The records of a stretch, one behind the other; what is cut off ends with it.
 * @returns {Generator<{ type: number, instance: number, isContainer: boolean, data: Buffer }>}
 */
export function* records(data) {
  for (let at = 0; at + HEADER_BYTES <= data.length; ) {
    const flags = data.readUInt16LE(at);
    const from = at + HEADER_BYTES;
    at = Math.min(data.length, from + data.readUInt32LE(at + 4));
    const isContainer = (flags & 15) === CONTAINER;
    yield { type: data.readUInt16LE(from - 6), instance: flags >> 4, isContainer, data: data.subarray(from, at) };
  }
}

/** The first record of a type in a stretch. */
export function findRecord(data, type) {
  for (const record of records(data)) if (record.type === type) return record;
  return undefined;
}

/** All records of a type, however deep they stand. */
export function* deepRecords(data, type, depth = 0) {
  for (const record of records(data)) {
    if (record.type === type) yield record;
    else if ((record.isContainer || record.type === TYPES.additions) && depth < MAX_DEPTH)
      yield* deepRecords(record.data, type, depth + 1);
  }
}

const EDIT_OFFSET = 16;
const KEY_OFFSET = 12;
const LOCKED = 0xf3d1c4df;
const MAX_EDITS = 10_000;
const ID_BITS = 0xfffff;

/** The objects of a presentation by their numbers: each save writes those that changed behind the others. */
export class PptFile {
  #stream;
  #places = new Map();
  #document;

  /**
   * @param {Buffer} stream PowerPoint Document
   * @param {Buffer | undefined} user Current User, which says where the last save begins
   * @throws {Unreadable}
   */
  constructor(stream, user) {
    this.#stream = stream;
    if (user && user.length >= EDIT_OFFSET && user.readUInt32LE(KEY_OFFSET) === LOCKED)
      throw new Unreadable("encrypted", "a locked presentation");
    const said = user && user.length >= EDIT_OFFSET + 4 ? user.readUInt32LE(EDIT_OFFSET) : 0;
    let edit = this.#editAt(said) ?? this.#lastEdit();
    if (!edit) throw new Unreadable("broken", "no save was found");
    for (let count = 0; edit && count < MAX_EDITS; count++) {
      this.#document ??= edit.document;
      this.#takeDirectory(edit.directory);
      edit = edit.before > 0 ? this.#editAt(edit.before) : undefined;
    }
  }

  /** What stands in the document itself. @throws {Unreadable} */
  document() {
    const found = this.object(this.#document);
    if (!found) throw new Unreadable("broken", "the document is missing");
    return found.data;
  }

  object(id) {
    const at = this.#places.get(id);
    return at === undefined ? undefined : records(this.#stream.subarray(at)).next().value;
  }

  #editAt(at) {
    const record = records(this.#stream.subarray(at)).next().value;
    if (record?.type !== TYPES.userEdit || record.data.length < 20) return undefined;
    const [before, directory, document] = [8, 12, 16].map((offset) => record.data.readUInt32LE(offset));
    // A chain leads to earlier places alone.
    return { before: before < at ? before : 0, directory, document };
  }

  #lastEdit() {
    let last;
    let at = 0;
    for (const { type, data } of records(this.#stream)) {
      if (type === TYPES.userEdit) last = this.#editAt(at);
      at += HEADER_BYTES + data.length;
    }
    return last;
  }

  /** What a later save says counts. */
  #takeDirectory(at) {
    const { type, data } = records(this.#stream.subarray(at)).next().value ?? {};
    if (type !== TYPES.persistDirectory) return;
    for (let offset = 0; offset + 4 <= data.length; ) {
      const head = data.readUInt32LE(offset);
      const [first, count] = [head & ID_BITS, head >>> 20];
      for (let index = 0; index < count && offset + 8 + index * 4 <= data.length; index++) {
        const place = data.readUInt32LE(offset + 4 + index * 4);
        if (!this.#places.has(first + index)) this.#places.set(first + index, place);
      }
      offset += 4 + count * 4;
    }
  }
}

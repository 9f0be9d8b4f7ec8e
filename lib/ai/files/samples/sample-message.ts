import { burn, type Entry } from "@kenjiuno/msgreader/lib/Burner";

/** Messages as Outlook saves them, built by hand for tests: the parts that a reader looks at. */

const DIRECTORY = 1;
const FILE = 2;
const ROOT = 5;

/** Contents by the names of what holds them, as "0037001F" for a subject in Unicode. */
interface Folder {
  [name: string]: Uint8Array | Folder;
}

export interface SampleMessage {
  /** By tag: the property's number and its kind, 001F for Unicode, 001E for letters of one byte, 0102 for bytes. */
  properties: Record<string, string | Uint8Array>;
  /** Numbers by tag, which stand beside them. */
  numbers?: Record<string, number>;
  recipients?: { name: string; address: string; type: number }[];
  /** A file by its name alone, or with its bytes; or a message. */
  attachments?: (string | { name: string; bytes: Uint8Array } | SampleMessage)[];
}

/** The bytes of a message. */
export function sampleMsg(message: SampleMessage): Buffer {
  const entries: Entry[] = [{ name: "Root Entry", type: ROOT, length: 0, children: [] }];
  addFolder(entries, 0, folderOf(message, 32));
  return Buffer.from(burn(entries));
}

function addFolder(entries: Entry[], parent: number, folder: Folder): void {
  for (const [name, content] of Object.entries(folder)) {
    const index = entries.length;
    const isFile = content instanceof Uint8Array;
    entries[parent]?.children?.push(index);
    entries.push(
      isFile
        ? // A copy: the writer takes all of the memory that the bytes stand in.
          { name, type: FILE, length: content.length, binaryProvider: () => new Uint8Array(content) }
        : { name, type: DIRECTORY, length: 0, children: [] },
    );
    if (!isFile) addFolder(entries, index, content);
  }
}

function folderOf(message: SampleMessage, headBytes: number): Folder {
  const { properties, numbers = {}, recipients = [], attachments = [] } = message;
  const folder = partsOf(properties, numbers, headBytes);
  recipients.forEach(({ name, address, type }, index) => {
    folder[`__recip_version1.0_#0000000${index}`] = partsOf(
      { "3001001F": name, "39FE001F": address },
      { "0C150003": type },
      8,
    );
  });
  attachments.forEach((attachment, index) => {
    folder[`__attach_version1.0_#0000000${index}`] =
      typeof attachment === "string"
        ? partsOf({ "3707001F": attachment }, {}, 8)
        : "bytes" in attachment
          ? partsOf({ "3707001F": attachment.name, "37010102": attachment.bytes }, {}, 8)
          : { ...partsOf({}, {}, 8), "__substg1.0_3701000D": folderOf(attachment, 24) };
  });
  return folder;
}

function partsOf(properties: SampleMessage["properties"], numbers: Record<string, number>, headBytes: number): Folder {
  const folder: Folder = { "__properties_version1.0": numbersOf(numbers, headBytes) };
  for (const [tag, value] of Object.entries(properties)) {
    folder[`__substg1.0_${tag}`] = typeof value === "string" ? Buffer.from(value, "utf16le") : value;
  }
  return folder;
}

function numbersOf(numbers: Record<string, number>, headBytes: number): Buffer {
  const rows = Object.entries(numbers).map(([tag, value]) => {
    const row = Buffer.alloc(16);
    row.writeUInt32LE(Number.parseInt(tag, 16), 0);
    row.writeUInt32LE(6, 4);
    row.writeUInt32LE(value, 8);
    return row;
  });
  return Buffer.concat([Buffer.alloc(headBytes), ...rows]);
}

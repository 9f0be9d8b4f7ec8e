import { CFB } from "@e965/xlsx";
import { readSheets } from "../sheets/read-sheets.mjs";
import { Unreadable } from "../unreadable.mjs";
import { readDoc } from "./read-doc.mjs";
import { readPpt } from "./read-ppt.mjs";

/**
 * What a document in the container of the old Office formats is, by the parts at its top: others may lie in it.
 * @returns {{ kind: string, read: (output: object) => Promise<object> }}
 * @throws {Unreadable}
 */
export function findCompoundReader(bytes) {
  const part = openContainer(bytes);
  if (part("Workbook") ?? part("Book")) return { kind: "xls", read: (output) => readSheets(bytes, output) };
  const text = part("WordDocument");
  if (text) return { kind: "doc", read: (output) => readDoc(text, tableOf(text, part), output) };
  const folder = part(`${BOTH}/PowerPoint Document`) ? `${BOTH}/` : "";
  if (folder === "" && OF_PPT_95.some(part))
    throw new Unreadable(
      "unsupported",
      "a presentation of PowerPoint 95 or older, which cannot be read. Save it as PPTX or PDF.",
    );
  const slides = part(`${folder}PowerPoint Document`);
  if (slides) return { kind: "ppt", read: (output) => readPpt(slides, part(`${folder}Current User`), output) };
  throw new Unreadable(
    "unsupported",
    "a document of an old or unknown format, which cannot be read. Save it as DOCX, XLSX, PPTX or PDF.",
  );
}

/** Where PowerPoint 97 kept its own of a file that PowerPoint 95 can open too. */
const BOTH = "PP97_DUALSTORAGE";
const OF_PPT_95 = ["PP40", "PersistentStorage Directory"];

/** @returns {(name: string) => Buffer | undefined} what a part holds */
function openContainer(bytes) {
  try {
    const container = CFB.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { type: "buffer" });
    const [root = ""] = container.FullPaths;
    const names = container.FullPaths.map((path) => path.slice(root.length).toLowerCase());
    return (name) => {
      const content = container.FileIndex[names.indexOf(name.toLowerCase())]?.content;
      return content && Buffer.from(content);
    };
  } catch (error) {
    throw new Unreadable("broken", String(error));
  }
}

const WORD_97 = 0xa5ec;
const FLAGS_OFFSET = 10;
const ENCRYPTED = 0x100;
const SECOND_TABLE = 0x200;

/**
 * The stream that belongs to a text of Word 97 to 2003.
 * @throws {Unreadable} when it has a password, or was written before Word 97
 */
function tableOf(text, part) {
  if (text.length < FLAGS_OFFSET + 2) throw new Unreadable("broken", "the text is cut off");
  if (text.readUInt16LE(0) !== WORD_97)
    throw new Unreadable(
      "unsupported",
      "a document of Word 95 or older, which cannot be read. Save it as DOCX or PDF.",
    );
  const flags = text.readUInt16LE(FLAGS_OFFSET);
  if (flags & ENCRYPTED) throw new Unreadable("encrypted", "a locked document of Word 97");
  const table = part(flags & SECOND_TABLE ? "1Table" : "0Table");
  if (!table) throw new Unreadable("broken", "its second stream is missing");
  return table;
}

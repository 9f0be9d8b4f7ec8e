import { isCompound } from "./compound/compound.mjs";
import { readDocx } from "./docx/read-docx.mjs";
import { findPictures } from "./find-pictures.mjs";
import { findForm, isReadable } from "./opendocument/opendocument-form.mjs";
import { readOdp } from "./opendocument/read-odp.mjs";
import { readOdt } from "./opendocument/read-odt.mjs";
import { isEpub, readEpub } from "./read-epub.mjs";
import { readPptx } from "./read-pptx.mjs";
import { findPart, readRelations } from "./relations.mjs";
import { readRtf } from "./rtf/read-rtf.mjs";
import { readXlsx } from "./sheets/read-xlsx.mjs";
import { Unreadable } from "./unreadable.mjs";
import { readXml } from "./xml.mjs";
import { ZipParts } from "./zip.mjs";

/**
 * What a document is, by its own parts, and what reads it.
 * @param source `{ bytes }`, or `{ bytes: empty, size }` of an archive that is asked for what is read of it
 * @returns {Promise<{ kind: string, read: (output: object, isInside: boolean) => Promise<object>, pictures?: () => Promise<object[]> }>}
 *   `pictures` of documents that are archives: see findPictures
 * @throws {Unreadable}
 */
export async function findReader({ bytes, size }) {
  const isWhole = size === undefined;
  if (isCompound(bytes)) return (await import("./compound/read-compound.mjs")).findCompoundReader(bytes);
  if (isRichText(bytes)) return { kind: "rtf", read: async (output) => readRtf(bytes, output) };
  const sheets = (kind, zip) => {
    if (!isWhole) throw new Unreadable("large", kind);
    const read = async (output) => (await loadSheets()).readSheets(bytes, output, zip);
    return { kind, read, ...(kind === "ods" && { pictures: () => findPictures(kind, zip) }) };
  };
  // Of Excel 2003, all in one XML.
  if (isWhole && !isArchive(bytes)) return sheets("xls");
  const zip = await ZipParts.open({ bytes, size });
  if (isEpub(zip))
    return { kind: "epub", read: (output) => readEpub(zip, output), pictures: () => findPictures("epub", zip) };
  const form = await findForm(zip);
  if (form) return findOpenDocument(form, zip, sheets);
  const part = zip.has("[Content_Types].xml")
    ? findPart(zip, await readRelations(zip, ""), "officeDocument")
    : undefined;
  if (part === undefined && zip.names().some((name) => APPLE_PART.test(name)))
    throw new Unreadable("unsupported", `a document of Pages, Numbers or Keynote, which cannot be read. ${SAVE_ANEW}`);
  if (part === undefined)
    throw new Unreadable("unsupported", "a ZIP archive, which cannot be read. Send the files in it one by one.");
  if (part.endsWith(".bin")) return sheets("xlsb", zip);
  const found = OPEN_XML_READERS.get(await rootElement(zip, part));
  if (!found) throw new Unreadable("unsupported", `a document of an unknown kind, which cannot be read. ${SAVE_ANEW}`);
  const { kind, read } = found;
  return {
    kind,
    read: (output, isInside) => read(zip, part, output, isInside),
    pictures: () => findPictures(kind, zip, part),
  };
}

async function findOpenDocument(form, zip, sheets) {
  if (zip.has("META-INF/manifest.xml")) await refuseEncrypted(zip);
  if (!isReadable(form))
    throw new Unreadable(
      "unsupported",
      `an OpenDocument of another kind (${form}), which cannot be read. ${SAVE_ANEW}`,
    );
  if (form === "spreadsheet") return sheets("ods", zip);
  const [kind, read] = form === "presentation" ? ["odp", readOdp] : ["odt", readOdt];
  return { kind, read: (output) => read(zip, output), pictures: () => findPictures(kind, zip) };
}

/** More than a megabyte of library, for formats that come seldom; so is what reads the old container. */
const loadSheets = () => import("./sheets/read-sheets.mjs");

const SAVE_ANEW = "Save it as DOCX, XLSX, PPTX or PDF.";

/** Documents of earlier years, and those that are folders, packed by whatever sent them. */
const APPLE_PART = /^(index\.(xml|apxl)|([^/]+\/)?Index(\.zip|\/Document\.iwa))$/;

const OPEN_XML_READERS = new Map([
  ["document", { kind: "docx", read: readDocx }],
  ["workbook", { kind: "xlsx", read: readXlsx }],
  ["presentation", { kind: "pptx", read: readPptx }],
]);

const RICH_TEXT = Buffer.from("{\\rtf");

function isRichText(bytes) {
  return RICH_TEXT.equals(bytes.subarray(0, RICH_TEXT.length));
}

function isArchive(bytes) {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

async function refuseEncrypted(zip) {
  await readXml(zip.read("META-INF/manifest.xml"), {
    open(name) {
      if (name === "encryption-data") throw new Unreadable("encrypted", "an encrypted OpenDocument file");
    },
  });
}

async function rootElement(zip, part) {
  let root;
  const open = (name) => {
    root ??= name;
  };
  await readXml(zip.read(part), { open }, () => root !== undefined);
  return root;
}

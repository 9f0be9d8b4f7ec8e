// Reads the text of one Office document, in a thread that may be ended at any moment (see host-worker.mjs). Plain
// JavaScript, run from its source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import { Output } from "./office/output.mjs";
import { readDocx } from "./office/read-docx.mjs";
import { readOdt } from "./office/read-odt.mjs";
import { readPptx } from "./office/read-pptx.mjs";
import { readXlsx } from "./office/read-xlsx.mjs";
import { findPart, readRelations } from "./office/relations.mjs";
import { Unreadable } from "./office/unreadable.mjs";
import { readXml } from "./office/xml.mjs";
import { ZipParts } from "./office/zip.mjs";

// A document has no business with the network.
globalThis.fetch = undefined;

/** @param isInside of another document: those inside of it are not read, too */
async function readDocument({ bytes, maxCharacters }, isInside = false) {
  const zip = await ZipParts.open(bytes);
  const output = new Output(maxCharacters);
  const { kind, read } = await findReader(zip);
  const { sectionCount, inserts, ...skipped } = await read(output, isInside);
  const sections = output.finish();
  const isCut = output.isFull;
  const found = await inserts?.read((inner) => readDocument({ bytes: inner, maxCharacters }, true));
  return {
    kind,
    sections,
    sectionCount: sectionCount ?? sections.length,
    isCut,
    skipped,
    ...(found?.length > 0 && { inserts: found }),
  };
}

/** The archive's own parts say what it is. */
async function findReader(zip) {
  if (zip.has("mimetype")) {
    const mediaType = (await zip.readText("mimetype", 200)).trim();
    if (!ODT_MEDIA_TYPE.test(mediaType))
      throw new Unreadable(
        "unsupported",
        "a document of another kind (OpenDocument, EPUB), which cannot be read. Save it as DOCX, XLSX, PPTX or PDF.",
      );
    return { kind: "odt", read: (output) => readOdt(zip, output) };
  }
  const part = zip.has("[Content_Types].xml")
    ? findPart(zip, await readRelations(zip, ""), "officeDocument")
    : undefined;
  if (part === undefined && zip.names().some((name) => APPLE_PART.test(name)))
    throw new Unreadable(
      "unsupported",
      "a document of Pages, Numbers or Keynote, which cannot be read. Save it as DOCX, XLSX, PPTX or PDF.",
    );
  if (part === undefined)
    throw new Unreadable("unsupported", "a ZIP archive, which cannot be read. Send the files in it one by one.");
  if (part.endsWith(".bin"))
    throw new Unreadable(
      "unsupported",
      "an Excel workbook of the binary format (XLSB), which cannot be read. Save it as XLSX.",
    );
  const found = OPEN_XML_READERS.get(await rootElement(zip, part));
  if (!found) throw new Unreadable("unsupported", "a document of an unknown kind, which cannot be read.");
  return { kind: found.kind, read: (output, isInside) => found.read(zip, part, output, isInside) };
}

const ODT_MEDIA_TYPE = /^application\/vnd\.oasis\.opendocument\.text(-template)?$/;

/** Documents of earlier years, and those that are folders, packed by whatever sent them. */
const APPLE_PART = /^(index\.(xml|apxl)|([^/]+\/)?Index(\.zip|\/Document\.iwa))$/;

const OPEN_XML_READERS = new Map([
  ["document", { kind: "docx", read: readDocx }],
  ["workbook", { kind: "xlsx", read: readXlsx }],
  ["presentation", { kind: "pptx", read: readPptx }],
]);

async function rootElement(zip, part) {
  let root;
  const open = (name) => {
    root ??= name;
  };
  await readXml(zip.read(part), { open }, () => root !== undefined);
  return root;
}

try {
  parentPort.postMessage({ result: await readDocument(workerData) });
} catch (error) {
  parentPort.postMessage({
    failure: error instanceof Unreadable ? error.failure : "broken",
    detail: error instanceof Unreadable ? error.message : String(error),
  });
}

import { docxEntries, sampleDocx, wordParagraph } from "@/lib/ai/files/sample-office";
import { buildZip, zipEntries } from "@/lib/ai/files/sample-zip";

const MEGABYTE = 1024 * 1024;

const BODY = wordParagraph("Hello");
const withPart = (name: string, content: string | Uint8Array) => [...docxEntries(BODY), { name, content }];
const withDocument = (content: string | Uint8Array) =>
  docxEntries("", {}).map((entry) => (entry.name === "word/document.xml" ? { ...entry, content } : entry));
const ENTITIES = `<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? "" : n - 1};`.repeat(10)}">`).join("")}]>`;

/** Office documents that are wrong on purpose, and the failure of each. */
export const HOSTILE_DOCUMENTS: [name: string, make: () => Uint8Array, code: string, message: RegExp][] = [
  ["cut off in the middle", () => sampleDocx("Hello").subarray(0, 500), "FILE_UNREADABLE", /damaged/],
  ["the head of an archive alone", () => Buffer.from("PK\x03\x04\x14\0\0\0", "latin1"), "FILE_UNREADABLE", /damaged/],
  ["no XML in its main part", () => buildZip(withDocument("no XML")), "FILE_UNREADABLE", /damaged/],
  ["XML that ends early", () => buildZip(withDocument("<w:document><w:p>")), "FILE_UNREADABLE", /damaged/],
  [
    "bytes that are no UTF-8",
    () => buildZip(withDocument(Buffer.from([0x3c, 0xff, 0xff]))),
    "FILE_UNREADABLE",
    /damaged/,
  ],
  [
    "entities that grow a billionfold",
    () => buildZip(withDocument(`${ENTITIES}<document>&a8;</document>`)),
    "FILE_UNREADABLE",
    /harm/,
  ],
  [
    "an entity that names a file",
    () => buildZip(withDocument('<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><document>&x;</document>')),
    "FILE_UNREADABLE",
    /harm/,
  ],
  [
    "an entity that nothing defines",
    () => buildZip(withDocument("<document>&x;</document>")),
    "FILE_UNREADABLE",
    /damaged/,
  ],
  [
    "a part that grows a thousandfold",
    () => buildZip(withDocument(Buffer.alloc(100 * MEGABYTE, " "))),
    "FILE_UNREADABLE",
    /harm/,
  ],
  [
    "a part that grows more than it says",
    () =>
      buildZip(
        withDocument(Buffer.alloc(30 * MEGABYTE, " ")).map((entry) => ({
          ...entry,
          ...(entry.name === "word/document.xml" && { statedBytes: 1_000 }),
        })),
      ),
    "FILE_UNREADABLE",
    /damaged/,
  ],
  [
    "names that climb out of a folder",
    () => buildZip(withPart("../../../etc/cron.d/evil", "x")),
    "FILE_UNREADABLE",
    /damaged/,
  ],
  ["a name that is a path", () => buildZip(withPart("/etc/passwd", "x")), "FILE_UNREADABLE", /damaged/],
  [
    "elements nested a million deep",
    () => buildZip(withDocument(`<document>${"<p>".repeat(1_000_000)}${"</p>".repeat(1_000_000)}</document>`)),
    "FILE_UNREADABLE",
    /harm/,
  ],
  ["two parts of one name", () => buildZip(withPart("word/document.xml", "<document/>")), "FILE_UNREADABLE", /harm/],
  [
    "twenty thousand entries",
    () =>
      buildZip([...docxEntries(BODY), ...Array.from({ length: 20_000 }, (_, n) => ({ name: `n${n}`, content: "" }))]),
    "FILE_UNREADABLE",
    /harm/,
  ],
  [
    "entries with a password",
    () => buildZip(docxEntries(BODY).map((entry) => ({ ...entry, isEncrypted: true }))),
    "FILE_UNREADABLE",
    /password/,
  ],
  [
    "an archive of archives",
    () => buildZip(zipEntries({ "a.docx": sampleDocx("Hi") })),
    "UNSUPPORTED_FILE",
    /a ZIP archive/,
  ],
  ["an archive of nothing", () => buildZip([]), "UNSUPPORTED_FILE", /a ZIP archive/],
];

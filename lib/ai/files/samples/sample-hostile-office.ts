import { docxEntries, sampleDocx, wordParagraph } from "@/lib/ai/files/samples/sample-office";
import { buildZip, zipEntries } from "@/lib/ai/files/samples/sample-zip";

const MEGABYTE = 1024 * 1024;

const BODY = wordParagraph("Hello");
const withPart = (name: string, content: string | Uint8Array) => [...docxEntries(BODY), { name, content }];
const withDocument = (content: string | Uint8Array) =>
  docxEntries("", {}).map((entry) => (entry.name === "word/document.xml" ? { ...entry, content } : entry));
const ENTITIES = `<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n} "${`&a${n === 0 ? "" : n - 1};`.repeat(10)}">`).join("")}]>`;

/** Office documents that are wrong on purpose, and what is said of each. */
export const HOSTILE_DOCUMENTS: [name: string, make: () => Uint8Array, message: RegExp][] = [
  ["cut off in the middle", () => sampleDocx("Hello").subarray(0, 500), /damaged/],
  ["the head of an archive alone", () => Buffer.from("PK\x03\x04\x14\0\0\0", "latin1"), /damaged/],
  ["no XML in its main part", () => buildZip(withDocument("no XML")), /damaged/],
  ["XML that ends early", () => buildZip(withDocument("<w:document><w:p>")), /damaged/],
  ["bytes that are no UTF-8", () => buildZip(withDocument(Buffer.from([0x3c, 0xff, 0xff]))), /damaged/],
  ["entities that grow a billionfold", () => buildZip(withDocument(`${ENTITIES}<document>&a8;</document>`)), /harm/],
  [
    "an entity that names a file",
    () => buildZip(withDocument('<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><document>&x;</document>')),
    /harm/,
  ],
  ["an entity that nothing defines", () => buildZip(withDocument("<document>&x;</document>")), /damaged/],
  ["a part that grows a thousandfold", () => buildZip(withDocument(Buffer.alloc(100 * MEGABYTE, " "))), /harm/],
  [
    "a part that grows more than it says",
    () =>
      buildZip(
        withDocument(Buffer.alloc(30 * MEGABYTE, " ")).map((entry) => ({
          ...entry,
          ...(entry.name === "word/document.xml" && { statedBytes: 1_000 }),
        })),
      ),
    /damaged/,
  ],
  ["a part that is another than was packed", () => withOtherSum(sampleDocx("Hello"), "word/document.xml"), /damaged/],
  ["names that climb out of a folder", () => buildZip(withPart("../../../etc/cron.d/evil", "x")), /damaged/],
  ["a name that is a path", () => buildZip(withPart("/etc/passwd", "x")), /damaged/],
  [
    "elements nested a million deep",
    () => buildZip(withDocument(`<document>${"<p>".repeat(1_000_000)}${"</p>".repeat(1_000_000)}</document>`)),
    /harm/,
  ],
  ["two parts of one name", () => buildZip(withPart("word/document.xml", "<document/>")), /harm/],
  [
    "twenty thousand entries",
    () =>
      buildZip([...docxEntries(BODY), ...Array.from({ length: 20_000 }, (_, n) => ({ name: `n${n}`, content: "" }))]),
    /harm/,
  ],
  [
    "entries with a password",
    () => buildZip(docxEntries(BODY).map((entry) => ({ ...entry, isEncrypted: true }))),
    /password/,
  ],
  ["an archive of archives", () => buildZip(zipEntries({ "a.docx": sampleDocx("Hi") })), /a ZIP archive/],
  ["an older document of a Mac", () => buildZip(zipEntries({ "index.xml": "<sl:document/>" })), /Pages.*PDF/],
  [
    "a document of a Mac that is a folder",
    () => buildZip(zipEntries({ "a.key/Index.zip": "PK", "a.key/preview.jpg": "" })),
    /Keynote.*PPTX/,
  ],
  ["an archive of nothing", () => buildZip([]), /a ZIP archive/],
];

/** What the directory says of the bytes of a part is true of others. */
function withOtherSum(archive: Buffer, part: string): Buffer {
  const entry = archive.lastIndexOf(part) - 46;
  archive.writeUInt32LE(~archive.readUInt32LE(entry + 16) >>> 0, entry + 16);
  return archive;
}

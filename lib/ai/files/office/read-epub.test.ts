import { describe, expect, it } from "vitest";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { bookPage, type SampleBook, sampleEpub } from "@/lib/ai/files/samples/sample-epub";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";
import { picturesOf, refusalOf, understandSample } from "@/lib/ai/files/samples/sample-understand";
import { splitBlocks } from "@/lib/domain/prompt-blocks";

const BOOK: SampleBook = {
  title: "Sea &amp; Land",
  authors: ["Ada Lovelace", "  Max\n Mustermann "],
  chapters: ["<h1>The sea</h1><p>It was <em>calm</em>.</p>", '<h2>The land</h2><a id="n"/><p>Hills &eacute; hay.</p>'],
};
const TEXT =
  "[Title: Sea & Land]\n[Author: Ada Lovelace, Max Mustermann]\n\n# The sea\n\nIt was calm.\n\n## The land\n\nHills é hay.";
const encryption = (algorithm: string) =>
  `<encryption><EncryptedData><EncryptionMethod Algorithm="${algorithm}"/></EncryptedData></encryption>`;

async function textOf(book: SampleBook, maxCharacters = 100_000) {
  const { sections, ...document } = await readOffice(sampleEpub(book), { maxCharacters });
  return { ...document, text: sections.map(({ text }) => text).join("\n\n") };
}

describe("an e-book", () => {
  it("is its chapters as they are read one after another, behind its title and authors", async () => {
    expect(await textOf(BOOK)).toEqual({
      kind: "epub",
      text: TEXT,
      sectionCount: 1,
      isCut: false,
      skipped: { pictures: 0 },
    });
  });

  it("goes to the model as what it is, whatever it is called and however it begins", async () => {
    for (const mimetype of ["application/epub+zip", "application/zip"]) {
      const file = await understandSample(sampleEpub({ ...BOOK, parts: { mimetype } }), { name: "book.zip" });
      const [part] = file.parts;
      const [block] = splitBlocks(part?.type === "text" ? part.text : "").blocks;
      expect(block).toMatchObject({ name: "book.zip", kind: "epub", text: TEXT });
      expect(file.extraction).toMatchObject({ kind: "epub", characters: TEXT.length });
    }
  });

  it("in letters of two bytes is read like any other", async () => {
    const page = Buffer.from(`\ufeff${bookPage("<p>Grüße</p>").replace("UTF-8", "UTF-16")}`, "utf16le");
    const { text } = await textOf({ chapters: [""], parts: { "OEBPS/text/part 0.xhtml": page } });
    expect(text).toBe("Grüße");
  });

  it("counts its pictures beside a text, and shows them where it is little else, as comics are", async () => {
    const pictures = [1, 2, 3].map((index) => sampleImage("png", 200 + index, 300));
    const novel = await understandSample(
      sampleEpub({ chapters: [`<p>${"A long story. ".repeat(100)}</p>`], pictures }),
    );
    expect(picturesOf(novel)).toEqual([]);
    expect(novel.extraction.skipped).toEqual({ pictures: 3 });
    const comic = await understandSample(
      sampleEpub({ title: "Comic", chapters: ['<img src="../images/0"/>'], pictures }),
    );
    expect(picturesOf(comic).map((bytes) => Buffer.from(bytes))).toEqual(pictures);
    expect(comic.extraction).toMatchObject({ kind: "epub", pictures: 3 });
  });

  it("with fonts that are its own is read, and one that its shop has locked is refused as that", async () => {
    const locked = (algorithm: string) =>
      sampleEpub({ ...BOOK, parts: { "META-INF/encryption.xml": encryption(algorithm) } });
    expect((await understandSample(locked("http://www.idpf.org/2008/embedding"))).kind).toBe("epub");
    expect(await refusalOf(understandSample(locked("http://www.w3.org/2001/04/xmlenc#aes128-cbc")))).toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: "The file is an e-book that its shop has locked (DRM). Send one that is not locked.",
    });
  });

  it.each([
    ["has no list of chapters", { "META-INF/container.xml": "<container/>" }, /damaged/],
    [
      "names a list that is not there",
      { "META-INF/container.xml": '<container><rootfile full-path="x"/></container>' },
      /damaged/,
    ],
    ["has nothing but its title", { "OEBPS/text/part 0.xhtml": "", "OEBPS/text/part 1.xhtml": "" }, undefined],
    ["has a list with a document type", { "OEBPS/book.opf": '<!DOCTYPE a [<!ENTITY b "c">]><package/>' }, /harm/],
  ])("that %s is no crash", async (_what, parts, message) => {
    const read = understandSample(sampleEpub({ ...BOOK, parts }));
    if (message)
      expect(await refusalOf(read)).toMatchObject({
        code: "UNSUPPORTED_FILE",
        message: expect.stringMatching(message),
      });
    else expect((await read).kind).toBe("epub");
  });

  it("whose list names its files in other ways is read all the same", async () => {
    const list = (hrefs: string[]) =>
      `<package><manifest>${hrefs.map((href, index) => `<item id="c${index}" href="${href}" media-type="application/xhtml+xml"/>`).join("")}</manifest><spine>${hrefs.map((_, index) => `<itemref idref="c${index}"/>`).join("")}</spine></package>`;
    const parts = {
      "OEBPS/book.opf": list(["text/part%200.xhtml#begin", "100%.xhtml"]),
      "OEBPS/100%.xhtml": bookPage("<p>All of it.</p>"),
    };
    expect((await textOf({ chapters: ["<p>The sea.</p>"], parts })).text).toBe("The sea.\n\nAll of it.");
  });

  it("takes no whole text for its title, and no list without end for its authors", async () => {
    const authors = Array.from({ length: 1_000 }, (_, index) => `Author ${index}`);
    const { text } = await textOf({ title: "Sea ".repeat(10_000), authors, chapters: ["<p>The sea.</p>"] });
    expect(text).toMatch(/^\[Title: (Sea ){74}Sea\s*\]\n\[Author: Author 0, .*Author 9\]\n\nThe sea\.$/);
  });

  it("of very many authors is read, with the first of them", async () => {
    const authors = Array.from({ length: 200_000 }, (_, index) => `${index}`);
    const { text } = await textOf({ ...BOOK, authors });
    expect(text).toContain("[Author: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]");
  });

  it("of which there is no end is cut, and says so", async () => {
    const parts = { "OEBPS/text/part 1.xhtml": Buffer.alloc(21 * 1024 * 1024, "<p>") };
    expect(await textOf({ ...BOOK, parts })).toMatchObject({
      isCut: true,
      text: expect.stringMatching(/It was calm\.$/),
    });
    expect(await textOf({ ...BOOK, title: "", authors: [] }, 25)).toMatchObject({ isCut: true });
    const short = await textOf({ chapters: Array(5_001).fill("<p>x</p>") });
    expect(short.isCut).toBe(true);
    expect(short.text.match(/x/g)).toHaveLength(5_000);
  });
});

import { describe, expect, it } from "vitest";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { docxEntries, relations, sampleDocx, wordParagraph } from "@/lib/ai/files/samples/sample-office";
import { WEB_ARCHIVE } from "@/lib/ai/files/samples/sample-text";
import { buildZip, zipEntries } from "@/lib/ai/files/samples/sample-zip";

const LIMITS = { maxCharacters: 100_000 };

/** A Word document with files that are its text behind a first paragraph, in a cell each where `isTable`. */
function docxOf(files: Record<string, string | Uint8Array>, isTable = false): Buffer {
  const names = Object.keys(files);
  const chunks = names.map((_, index) => `<w:altChunk r:id="rId${index}"/>`);
  const cells = chunks.map((chunk) => `<w:tc>${chunk}</w:tc>`).join("");
  const body = isTable ? `<w:tbl><w:tr>${cells}</w:tr></w:tbl>` : chunks.join("");
  return buildZip([
    ...docxEntries(`${wordParagraph("Before")}${body}${wordParagraph("Behind")}`, {
      "word/_rels/document.xml.rels": relations(
        Object.fromEntries(names.map((name, index) => [`rId${index}`, ["aFChunk", name]])),
      ),
    }),
    ...zipEntries(Object.fromEntries(names.map((name) => [`word/${name}`, files[name] ?? ""]))),
  ]);
}

const textOf = async (docx: Buffer, limits = LIMITS) => {
  const document = await readOffice(docx, limits);
  return { ...document, text: document.sections.map(({ text }) => text).join("\n") };
};

describe("files inside of a DOCX that are its text", () => {
  it("stand where they belong: pages, saved pages with pictures, plain texts, documents", async () => {
    const { text, skipped } = await textOf(
      docxOf({
        "a.html": "<html><body><h2>Sum</h2><p>12 €</p></body></html>",
        "a.mht": WEB_ARCHIVE,
        "a.txt": Buffer.from("K\xe4se", "latin1"),
        "a.docx": sampleDocx("Inner"),
      }),
    );
    expect(text).toBe("Before\n\n## Sum\n\n12 €\n\n# Grüße\n\nKäse\n\nInner\n\nBehind");
    expect(skipped).toEqual({ pictures: 1, charts: 0, embeddedFiles: 0 });
  });

  it("are one line in a cell of a table", async () => {
    const { text } = await textOf(docxOf({ "a.html": "<p>a|b</p><p>c</p>", "b.html": "<p>d</p>" }, true));
    expect(text).toBe("Before\n\n| a\\|b c | d |\n| --- | --- |\n\nBehind");
  });

  it("are counted where they cannot be read, or stand in one that is inside", async () => {
    const files = { "a.rtf": "{\\rtf1 x}", "a.docx": docxOf({ "a.html": "<p>x</p>" }), "b.docx": "PK, but none" };
    const { text, skipped } = await textOf(docxOf(files));
    expect(text).toBe("Before\n\nBefore\n\nBehind\n\nBehind");
    expect(skipped).toMatchObject({ embeddedFiles: 3 });
  });

  it("say when one of them did not fit", async () => {
    const { text, isCut } = await textOf(docxOf({ "a.docx": sampleDocx("x".repeat(90)) }), { maxCharacters: 60 });
    expect(text).toBe(`Before\n\n${"x".repeat(58)}\n\nBehind`);
    expect(isCut).toBe(true);
  });

  it("leave nothing of a mark that the limit cut", async () => {
    const { text, isCut } = await textOf(docxOf({ "a.html": "<p>x</p>" }), { maxCharacters: 11 });
    expect([text, isCut]).toEqual(["Before", true]);
  });

  it("are read up to a hundred, and the others counted", async () => {
    const files = Object.fromEntries(Array.from({ length: 105 }, (_, index) => [`${index}.txt`, `line ${index}`]));
    const { text, skipped } = await textOf(docxOf(files));
    expect(text.match(/line \d+/g)).toHaveLength(100);
    expect(skipped).toMatchObject({ embeddedFiles: 5 });
  });
});

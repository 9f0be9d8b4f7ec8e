import { buildZip, zipEntries } from "@/lib/ai/files/samples/sample-zip";

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

export interface SampleBook {
  title?: string;
  authors?: string[];
  /** What stands in the body of each, in the order in which they are read. */
  chapters?: string[];
  pictures?: Uint8Array[];
  /** Other parts of the archive, or these in place of its own. */
  parts?: Record<string, string | Uint8Array>;
}

/** A page of a book, as programs write them: with a document type, and the book's title at each. */
export const bookPage = (body: string) =>
  `${HEAD}<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Book</title></head><body>${body}</body></html>`;

/** An e-book (EPUB) for tests. Its chapters are packed in another order than they are read in, under names with a blank. */
export function sampleEpub({ title = "", authors = [], chapters = [], pictures = [], parts = {} }: SampleBook): Buffer {
  const items = [
    ...chapters.map(
      (_, index) => `<item id="c${index}" href="text/part%20${index}.xhtml" media-type="application/xhtml+xml"/>`,
    ),
    ...pictures.map((_, index) => `<item id="p${index}" href="images/${index}" media-type="image/png"/>`),
    '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml"/><item id="css" href="a.css" media-type="text/css"/>',
  ];
  const spine = ["css", "missing", ...chapters.map((_, index) => `c${index}`)].map((id) => `<itemref idref="${id}"/>`);
  const creators = authors.map((author) => `<dc:creator>${author}</dc:creator>`).join("");
  const pages = chapters.map((body, index): [string, string] => [`OEBPS/text/part ${index}.xhtml`, bookPage(body)]);
  return buildZip(
    zipEntries({
      mimetype: "application/epub+zip",
      ...Object.fromEntries(pages.toReversed()),
      ...Object.fromEntries(pictures.map((bytes, index) => [`OEBPS/images/${index}`, bytes])),
      "META-INF/container.xml": `${HEAD}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
      "OEBPS/nav.xhtml": bookPage("<nav>Contents</nav>"),
      "OEBPS/a.css": "p { margin: 0 }",
      "OEBPS/book.opf": `${HEAD}<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>${title}</dc:title>${creators}<dc:language>en</dc:language></metadata><manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
      ...parts,
    }),
  );
}

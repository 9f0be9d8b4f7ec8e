import { deflateSync } from "node:zlib";

/** PDFs written by hand, for tests: small, and wrong in just the way a test wants. */

export type PdfObject = string | { dictionary: string; data: Uint8Array };

/** A valid document with one page for each text; line breaks become lines. */
export function textPdf(texts: string[]): Uint8Array {
  const kids = texts.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const pages = texts.flatMap((text, index): PdfObject[] => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
    { dictionary: "", data: Buffer.from(showText(text), "latin1") },
  ]);
  return buildPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pages,
  ]);
}

/** One page that is drawn so, in a font that is object 3; what the font refers to follows from object 6 on. */
export function fontPdf(content: string, [font, ...others]: [font: string, ...others: PdfObject[]]): Uint8Array {
  return buildPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    font,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
    { dictionary: "", data: Buffer.from(content, "latin1") },
    ...others,
  ]);
}

/** One page that is drawn so, with the layers /On and /Off of which the second is switched off, and /Fm, a form that is on it. */
export function layeredPdf(content: string, form: string): Uint8Array {
  const resources =
    "/Resources << /Font << /F1 3 0 R >> /Properties << /On 6 0 R /Off 7 0 R >> /XObject << /Fm 8 0 R >> >>";
  return buildPdf([
    "<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [6 0 R 7 0 R] /D << /OFF [7 0 R] >> >> >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents 5 0 R >>`,
    { dictionary: "", data: Buffer.from(content, "latin1") },
    "<< /Type /OCG /Name (English) >>",
    "<< /Type /OCG /Name (Draft) >>",
    {
      dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /OC 7 0 R ${resources}`,
      data: Buffer.from(form, "latin1"),
    },
  ]);
}

/** A font that stays outside the document, whose codes are letters by a table that stays outside too. */
export function asianFont(table: string, letters: string): [font: string, ...others: PdfObject[]] {
  return [
    `<< /Type /Font /Subtype /Type0 /BaseFont /Outside /Encoding /${table} /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Outside /CIDSystemInfo << /Registry (Adobe) /Ordering (${letters}) /Supplement 2 >> /FontDescriptor 7 0 R >>`,
    "<< /Type /FontDescriptor /FontName /Outside /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent 0 /CapHeight 700 /StemV 80 >>",
  ];
}

/** A font that says which letters its codes are: pairs of both in hexadecimal, "<41> <05D0>". */
export function namedFont(pairs: string[]): [font: string, ...others: PdfObject[]] {
  const table = `/CMapName /X def begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${pairs.length} beginbfchar ${pairs.join(" ")} endbfchar endcmap`;
  return [
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>",
    { dictionary: "", data: Buffer.from(table) },
  ];
}

/** One page of text, and what was added to it afterwards: the dictionaries of its annotations. */
export function annotatedPdf(text: string, annotations: string[]): Uint8Array {
  const list = annotations.map((_, index) => `${6 + index} 0 R`).join(" ");
  return buildPdf([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${list}] >> >>`,
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R /Annots [${list}] >>`,
    { dictionary: "", data: Buffer.from(text === "" ? "" : showText(text), "latin1") },
    ...annotations.map((annotation) => `<< /Type /Annot /Rect [0 0 90 20] ${annotation} >>`),
  ]);
}

/** A form that stands in it as XML alone: the text of its one page asks for another program. */
export function xfaPdf(text: string, body: string, data: string): Uint8Array {
  const template = `<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="root" layout="tb"><pageSet><pageArea><contentArea w="500pt" h="700pt"/><medium stock="letter" short="612pt" long="792pt"/></pageArea></pageSet>${body}</subform></template>`;
  const datasets = `<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><root>${data}</root></xfa:data></xfa:datasets>`;
  const form = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">${template}${datasets}</xdp:xdp>`;
  return buildPdf([
    "<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /Fields [] /XFA 6 0 R >> >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
    { dictionary: "", data: Buffer.from(showText(text), "latin1") },
    { dictionary: "", data: Buffer.from(form) },
  ]);
}

interface Scan {
  width: number;
  height: number;
  /** All of it is white: the page was empty. */
  isWhite?: boolean;
}

/** A picture that is packed already. */
interface PackedScan {
  image: Exclude<PdfObject, string>;
}

/** A page of `scannedPdf`. */
export interface ScannedPage {
  /** A text layer of its own; the page is no picture then. */
  text?: string;
  /** Pixels of the scan: its upper half is black, its lower half white. No scan: nothing is on the page. */
  scan?: Scan | PackedScan;
  /** Of the page, in points. */
  box?: string;
  /** Drawn instead of the scan, in the language of PDF. */
  content?: string;
}

/** A document of pages as scanners make them: each a picture and no text. */
export function scannedPdf(pages: ScannedPage[], extra: PdfObject[] = []): Uint8Array {
  const first = 4 + extra.length;
  const xobjects = extra.map((_, index) => `/X${index} ${4 + index} 0 R`).join(" ");
  const kids = pages.map((_, index) => `${first + index * 3} 0 R`).join(" ");
  const objects = pages.flatMap(({ text, scan, box = "0 0 595 842", content }, index): PdfObject[] => {
    const page = first + index * 3;
    const drawing = scan ? "q 595 0 0 842 0 0 cm /Scan Do Q" : text ? showText(text) : "";
    return [
      `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents ${page + 1} 0 R /Resources << /Font << /F1 3 0 R >> /XObject << /Scan ${page + 2} 0 R ${xobjects} >> >> >>`,
      { dictionary: "", data: Buffer.from(content ?? drawing, "latin1") },
      scanOf(scan ?? { width: 2, height: 2 }),
    ];
  });
  return buildPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...extra,
    ...objects,
  ]);
}

/** A scanned page, and one whose form draws the next one ten times, twenty deep. */
export function endlessPdf(): Uint8Array {
  const depth = 20;
  const forms = Array.from({ length: depth }, (_, index) => ({
    dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /Next ${5 + index} 0 R >> >>`,
    data: Buffer.from(index === depth - 1 ? "0 0 9 9 re f" : "/Next Do ".repeat(10)),
  }));
  return scannedPdf([{ scan: { width: 60, height: 80 } }, { content: "/X0 Do" }], forms);
}

/** Of a size that is only stated when it is out of measure. */
function scanOf(scan: Scan | PackedScan): PdfObject {
  if ("image" in scan) return scan.image;
  const { width, height, isWhite = false } = scan;
  const pixels = Buffer.alloc(Math.min(width * height, 1_000_000), 255);
  if (!isWhite) pixels.fill(0, 0, pixels.length / 2);
  const dictionary = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`;
  return { dictionary, data: deflateSync(pixels) };
}

/** A document of these objects, numbered from 1; the first is its catalog. */
export function buildPdf(objects: PdfObject[], trailer = ""): Uint8Array {
  const chunks: Uint8Array[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = chunks[0]?.length ?? 0;
  const push = (chunk: Uint8Array) => {
    chunks.push(chunk);
    length += chunk.length;
  };
  objects.forEach((object, index) => {
    offsets.push(length);
    push(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof object === "string") push(Buffer.from(object));
    else {
      push(Buffer.from(`<< ${object.dictionary} /Length ${object.data.length} >>\nstream\n`));
      push(object.data);
      push(Buffer.from("\nendstream"));
    }
    push(Buffer.from("\nendobj\n"));
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  push(
    Buffer.from(
      `${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(chunks);
}

function showText(text: string): string {
  const escapeText = (line: string) => line.replace(/[\\()]/g, "\\$&");
  const lines = text.split("\n").map((line, index) => `${index === 0 ? "" : "T* "}(${escapeText(line)}) Tj`);
  return `BT /F1 12 Tf 14 TL 72 720 Td ${lines.join(" ")} ET`;
}

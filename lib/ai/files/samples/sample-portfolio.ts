import { deflateSync } from "node:zlib";
import { buildPdf, type PdfObject } from "@/lib/ai/files/samples/sample-pdf";

/** A file that comes along in a PDF: its name, and what it holds, packed or not. */
export type Carried = [name: string, content: Uint8Array | string];

/**
 * A PDF of one page with files in it.
 * @param page its text, "" for none; or how it is drawn, in the language of PDF
 * @param onPage further files, which hang on the page itself
 */
export function carryingPdf(
  page: string | { content: string },
  carried: Carried[],
  onPage: Carried[] = [],
): Uint8Array {
  const content = typeof page === "string" ? `BT /F1 12 Tf 50 700 Td (${page}) Tj ET` : page.content;
  const FIRST = 6;
  const objects: PdfObject[] = [];
  const place = (object: PdfObject) => FIRST + objects.push(object) - 1;
  const fileOf = ([name, content]: Carried) => {
    const data = deflateSync(content);
    const stream = place({ dictionary: "/Type /EmbeddedFile /Filter /FlateDecode", data });
    return place(`<< /Type /Filespec /F (${name}) /EF << /F ${stream} 0 R >> >>`);
  };
  const names = carried.map((file) => `(${file[0]}) ${fileOf(file)} 0 R`).join(" ");
  const pins = onPage.map((file) =>
    place(`<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 29 29] /FS ${fileOf(file)} 0 R >>`),
  );
  return buildPdf([
    `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [${names}] >> >> >>`,
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R
       /Annots [${pins.map((pin) => `${pin} 0 R`).join(" ")}] >>`,
    { dictionary: "", data: Buffer.from(content) },
    ...objects,
  ]);
}

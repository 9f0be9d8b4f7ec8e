/** PDFs written by hand, for tests: small, and wrong in just the way a test wants. */

type PdfObject = string | { dictionary: string; data: Uint8Array };

/** A valid document with one page for each text; line breaks become lines. */
export function textPdf(texts: string[]): Uint8Array {
  const kids = texts.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const pages = texts.flatMap((text, index): PdfObject[] => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
    { dictionary: "", data: Buffer.from(`BT /F1 12 Tf 14 TL 72 720 Td ${showLines(text)} ET`, "latin1") },
  ]);
  return buildPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${texts.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...pages,
  ]);
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

function showLines(text: string): string {
  const escapeText = (line: string) => line.replace(/[\\()]/g, "\\$&");
  return text
    .split("\n")
    .map((line, index) => `${index === 0 ? "" : "T* "}(${escapeText(line)}) Tj`)
    .join(" ");
}

import { deflateSync } from "node:zlib";
import { buildPdf, textPdf } from "@/lib/ai/files/samples/sample-pdf";

/** PDFs that are wrong on purpose; each must end soon, as text or as UNSUPPORTED_FILE. */
export const HOSTILE_PDFS: [name: string, make: () => Uint8Array][] = [
  ["only a header", () => Buffer.from("%PDF-1.7\n")],
  ["garbage after the header", () => Buffer.concat([Buffer.from("%PDF-1.7\n"), noise(200_000)])],
  ["cut off in the middle", () => textPdf(["Hello"]).subarray(0, 250)],
  [
    "a page tree that contains itself",
    () => buildPdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"]),
  ],
  [
    "a page count of a billion",
    () => buildPdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 1000000000 >>"]),
  ],
  [
    "arrays nested a million deep",
    () =>
      buildPdf([
        `<< /Type /Catalog /Pages 2 0 R /X ${"[".repeat(1_000_000)} >>`,
        "<< /Type /Pages /Kids [] /Count 0 >>",
      ]),
  ],
  ["operands nested deep in a page", () => pageWith("[".repeat(2_000_000))],
  ["dictionaries nested deep in a page", () => pageWith("<< /A ".repeat(500_000))],
  ["a form that draws itself", selfDrawingForm],
  ["a stream that grows a thousandfold", () => growingPdf(150 * 1024 * 1024)],
  [
    "a stream that grows a millionfold",
    () => pageWithFlate(deflateSync(Buffer.alloc(150 * 1024 * 1024, "(")), "[/FlateDecode /FlateDecode]"),
  ],
];

function noise(length: number): Buffer {
  let state = 42;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return state >> 16;
    }),
  );
}

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE =
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /XObject << /F 4 0 R >> >> >>";

/** One page whose content is so many blanks, packed. */
export function growingPdf(bytes: number): Uint8Array {
  return pageWithFlate(Buffer.alloc(bytes, " "), "/FlateDecode");
}

function pageWith(content: string): Uint8Array {
  return buildPdf([CATALOG, PAGES, PAGE, { dictionary: "", data: Buffer.from(content) }]);
}

function pageWithFlate(content: Buffer, filter: string): Uint8Array {
  return buildPdf([CATALOG, PAGES, PAGE, { dictionary: `/Filter ${filter}`, data: deflateSync(content) }]);
}

function selfDrawingForm(): Uint8Array {
  const dictionary = "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 4 0 R >> >>";
  return buildPdf([CATALOG, PAGES, PAGE, { dictionary, data: Buffer.from("/F Do /F Do /F Do") }]);
}

/** With a password. */
export function encryptedPdf(): Uint8Array {
  const secret = "41".repeat(32);
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /P -44 /O <${secret}> /U <${secret}> >>`;
  return buildPdf(
    [CATALOG, PAGES, PAGE, { dictionary: "", data: Buffer.from("BT ET") }, encrypt],
    `/Encrypt 5 0 R /ID [<${secret}> <${secret}>]`,
  );
}

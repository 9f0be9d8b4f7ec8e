import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { workMs } from "@/e2e/support/work-time";
import { sampleAvif, sampleBmp, sampleHeic } from "@/lib/ai/files/samples/sample-foreign-image";
import { sampleDocx } from "@/lib/ai/files/samples/sample-office";
import { sampleOdt } from "@/lib/ai/files/samples/sample-open-document";
import { textPdf } from "@/lib/ai/files/samples/sample-pdf";
import {
  sampleFlac,
  sampleMp3,
  sampleMp4,
  sampleOgg,
  sampleWav,
  sampleWebm,
} from "@/lib/ai/files/samples/sample-sound";
import { CSV, detect } from "@/lib/ai/files/samples/sample-text";
import { faxPage, sampleTiff } from "@/lib/ai/files/samples/sample-tiff";

const HTML = "<!doctype html><html><body><p>Hi</p></body></html>";
const PYTHON = "import os\n\ndef main():\n    print(os.name)\n\nclass A(B):\n    return 1\n";

describe("the kind of a text", () => {
  it.each([
    ["prose", "Dear Anna, thank you for the letter.\nIt came, as you said, on Monday.", "", "text"],
    ["one word", "Hello", "", "text"],
    ["a report that begins with BM", "BMW sold more cars than last year.", "report.txt", "text"],
    ["a text that begins with MZ", "MZ is how programs begin.", "", "text"],
    ["a table", CSV, "", "csv"],
    ["a table by semicolons", "a;b;c\n1;2;3\n4;5;6", "", "csv"],
    ["a table by tabs", "a\tb\n1\t2\n", "x.txt", "text"],
    ["a table by tabs without a name", "a\tb\n1\t2\n", "", "csv"],
    ["a table with quotes", 'a,b\n"x, y",2\n"z\n', "t.csv", "csv"],
    ["JSON", '{"a": [1, 2]}', "", "json"],
    ["a JSON list", "[1, 2, 3]", "", "json"],
    ["lines of JSON", '{"a":1}\n{"a":2}\n', "", "json"],
    ["JSON named text", '{"a": 1}', "notes.txt", "json"],
    ["prose named JSON", "This is no JSON at all.", "data.json", "text"],
    ["a link in brackets", "[see](https://example.com) and **this**", "", "markdown"],
    ["HTML", HTML, "", "html"],
    ["HTML named CSV", HTML, "data.csv", "html"],
    ["a piece of HTML", "<div><p>Hi</p></div>", "", "html"],
    ["HTML after a comment", `<!-- made by hand -->\n${HTML}`, "", "html"],
    ["XHTML", `<?xml version="1.0"?>\n${HTML}`, "", "html"],
    ["XML", '<?xml version="1.0"?><order><id>1</id></order>', "", "xml"],
    ["XML without its heading", "<order><id>1</id></order>", "", "xml"],
    ["HTML by its name that begins with a rare tag", "<center>Hi <b>you</b></center>", "a.html", "html"],
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>', "logo.svg", "xml"],
    ["Markdown", "# Title\n\n- one\n- two\n", "", "markdown"],
    ["Markdown by its name", "Just words", "README.md", "markdown"],
    ["source code", PYTHON, "", "source"],
    ["source code by its name", "x = 1", "main.py", "source"],
    ["markup in source code", "<template><p>{{ a }}</p></template>", "App.vue", "source"],
    ["a script", "#!/bin/sh\necho hi\n", "", "source"],
    ["a table named as a picture", CSV, "photo.png", "csv"],
  ])("is found for %s", async (_name, content, name, kind) => {
    expect(await detect(content, name, "image/png")).toMatchObject({ kind });
  });

  it.each([
    ["blanks", `a\nb\n${" ".repeat(32_000)}x\nc`],
    ["empty lines", `a${"\n".repeat(32_000)}x`],
    ["separators of lines", `a\nb\n${"\u2028".repeat(32_000)}x\nc`],
    ["brackets", `a\n${"[".repeat(32_000)}`],
    ["half links", `a\n${"[a](".repeat(8_000)}`],
  ])("is found at once for a text of nothing but %s", async (_name, content) => {
    const read = async () => expect(await detect(content)).toMatchObject({ kind: "text" });
    // Work that grows with the square of the length took seconds, in which nobody else was served.
    expect(await workMs(read)).toBeLessThan(1_000);
  });

  it("is found for a cut beginning of JSON", async () => {
    expect(await detect('{"items": [{"a": 1}, {"a": 2}, {"a"', "", "", false)).toMatchObject({ kind: "json" });
  });
});

describe("what is no text", () => {
  it("is a PDF by its content", async () => {
    expect(await detect(textPdf(["Hi"]), "notes.txt", "text/plain")).toEqual({ kind: "pdf" });
    const late = Buffer.concat([Buffer.from("\uFEFF\r\n"), textPdf(["Hi"])]);
    expect(await detect(late, "scan.pdf")).toEqual({ kind: "pdf" });
    expect(await detect("A PDF begins with %PDF-1.7, as is known.")).toMatchObject({ kind: "text" });
  });

  it.each([
    [
      "image/png",
      [
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
        6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54,
      ],
    ],
    ["image/png", [...Buffer.from("\x89PNG\r\n\x1a\n", "latin1")]],
    ["image/jpeg", [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1]],
    ["image/gif", [...Buffer.from("GIF89a"), 1, 0, 1, 0, 0, 0, 0]],
    ["image/webp", [...Buffer.from("RIFF"), 20, 0, 0, 0, ...Buffer.from("WEBPVP8L"), 0, 0, 0, 0]],
  ])("is %s whatever its name", async (mediaType, bytes) => {
    expect(await detect(Uint8Array.from(bytes), "table.csv", "text/csv")).toEqual({ kind: "image", mediaType });
  });

  it.each([
    ["a ZIP", zipOf("a.txt"), { kind: "archive" }],
    ["a DOCX", sampleDocx("Hi"), { kind: "archive" }],
    ["an ODT", sampleOdt("<text:p>Hi</text:p>"), { kind: "archive" }],
    [
      "an old or locked Office document",
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      { kind: "compound" },
    ],
    ["a rich text", Buffer.from("{\\rtf1\\ansi Hello}"), { kind: "rich-text" }],
    ["HEIC", sampleHeic(), { kind: "foreign-image", format: "heif" }],
    ["AVIF", sampleAvif(), { kind: "foreign-image", format: "heif" }],
    ["a bitmap", sampleBmp(), { kind: "foreign-image", format: "bmp" }],
    ["TIFF", sampleTiff([faxPage()], { endian: "MM" }), { kind: "tiff" }],
    ["a TIFF whose directory stands last", sampleTiff([faxPage()], { bytesBefore: 300_000 }), { kind: "tiff" }],
    ["a large TIFF", sampleTiff([faxPage()], { isBig: true }), { kind: "tiff" }],
    ["MP3", sampleMp3({ seconds: 1 }), { kind: "sound", format: "mp3" }],
    ["WAV", sampleWav({ seconds: 1 }), { kind: "sound", format: "wav" }],
    ["M4A", sampleMp4({ seconds: 1 }, { brand: "M4A " }), { kind: "sound", format: "m4a" }],
    ["OGG", sampleOgg({ seconds: 1 }), { kind: "sound", format: "ogg" }],
    ["FLAC", sampleFlac({ seconds: 1 }), { kind: "sound", format: "flac" }],
    ["MP4", sampleMp4({ seconds: 1 }), { kind: "sound", format: "mp4" }],
    ["WebM", sampleWebm({ seconds: 1 }), { kind: "sound", format: "webm" }],
  ])("is found for %s whatever its name", async (_name, bytes, kind) => {
    expect(await detect(bytes, "a.txt", "text/plain")).toEqual(kind);
  });

  it.each([
    ["GZIP", gzipSync("hello"), "a.gz", /GZIP/, /one by one/],
    ["a Windows program", Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200, 1)]), "a.txt", /program/, /text or PDF/],
    ["a document of a Mac", zipOf("Index/Document.iwa", "Index/Tables/a.iwa"), "a.docx", /Pages/, /DOCX/],
    [
      "a drawing of a painter",
      Buffer.from("8BPS\0\x01\0\0\0\0\0\0\0\x03"),
      "a.jpg",
      /image \(adobe\.photoshop\)/,
      /JPEG/,
    ],
    [
      "noise",
      Uint8Array.from({ length: 4000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256),
      "a.txt",
      /unknown kind/,
      /UTF-8/,
    ],
    ["zeros", Buffer.alloc(1000), "a.txt", /unknown kind/, /PDF/],
    ["a memo of an old phone", Buffer.from("#!AMR\n<\x00\xff\x01\xfe\x02\xe0", "latin1"), "a.mp3", /AMR/, /MP3/],
    ["sound of a Mac", Buffer.from("FORM\0\0\0\x08AIFFCOMM\0\0\0\0"), "a.wav", /AIFF/, /WAV/],
    ["OGG without what is known", Buffer.from(`OggS${"\0".repeat(60)}`), "a.ogg", /OGG/, /MP4/],
    ["a database", Buffer.from("SQLite format 3\0"), "a.csv", /SQLite/, /CSV/],
    ["an X-ray", Buffer.concat([Buffer.alloc(128), Buffer.from("DICM\0\0\0\0")]), "a.pdf", /dicom/, /JPEG/],
    ["a font", Buffer.from("wOFF\0\x01\0\0\0\0\0\0"), "a.txt", /font/, /PDF/],
  ])("is named as %s, with what to do", async (_name, bytes, name, label, advice: RegExp) => {
    expect(await detect(bytes, name, "text/plain")).toEqual({
      kind: "unsupported",
      label: expect.stringMatching(label),
      advice: expect.stringMatching(advice),
    });
  });
});

/** A ZIP of empty, stored entries. */
function zipOf(...names: string[]): Buffer {
  return Buffer.concat(
    names.map((name) => {
      const header = Buffer.alloc(30);
      header.write("PK\x03\x04", "latin1");
      header.writeUInt16LE(20, 4);
      header.writeUInt16LE(name.length, 26);
      return Buffer.concat([header, Buffer.from(name)]);
    }),
  );
}

import { randomFillSync } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { readPdf } from "@/lib/ai/files/pages/read-pdf";
import { lookAtPdfPages, readPdfPictures } from "@/lib/ai/files/pages/read-pdf-pictures";
import type { RangedFile } from "@/lib/ai/files/reader/read-source";
import { docxEntries, samplePptx, sampleXlsx, slideShape, wordParagraph } from "@/lib/ai/files/samples/sample-office";
import { sampleOdp, sampleOds, sampleOdt } from "@/lib/ai/files/samples/sample-open-document";
import { scannedPdf, textPdf } from "@/lib/ai/files/samples/sample-pdf";
import { sampleRecording } from "@/lib/ai/files/samples/sample-recording";
import { understandSample } from "@/lib/ai/files/samples/sample-understand";
import { buildZip } from "@/lib/ai/files/samples/sample-zip";
import { lookAtSound } from "@/lib/ai/files/sound/cut-sound";

interface Counted extends RangedFile {
  bytesRead: number;
  largestRange: number;
}

const rangedOf = (content: Uint8Array): Counted => {
  const bytes = Buffer.from(content);
  const file: Counted = {
    size: bytes.byteLength,
    bytesRead: 0,
    largestRange: 0,
    bytesSource: async ({ start, end } = { start: 0, end: bytes.byteLength - 1 }) => {
      file.bytesRead += end + 1 - start;
      file.largestRange = Math.max(file.largestRange, end + 1 - start);
      return Readable.from([bytes.subarray(start, end + 1)]);
    },
  };
  return file;
};

const LIMITS = { maxCharacters: 10_000, lane: "" };

describe("a document whose reader asks for parts of it", () => {
  it.each([
    ["DOCX", buildZip(docxEntries(wordParagraph("Hello")))],
    ["PPTX", samplePptx([{ shapes: slideShape("title", "Hello"), notes: "Say it twice" }])],
    ["XLSX", sampleXlsx({ One: "<row><c><v>42</v></c></row>" })],
    ["ODT", sampleOdt("<text:p>Hello</text:p>")],
    ["ODP", sampleOdp("<drawing:page><text:p>Hello</text:p></drawing:page>")],
  ])("says what it says as a whole: %s", async (_kind, bytes) => {
    const whole = await readOffice(bytes, LIMITS);
    expect(whole.sections.map(({ text }) => text).join("")).toMatch(/Hello|42/);
    expect(await readOffice(rangedOf(bytes), LIMITS)).toEqual(whole);
  });

  it("says what it says as a whole: PDF", async () => {
    const bytes = textPdf(["First page", "Second page"]);
    expect(await readPdf(rangedOf(bytes), LIMITS)).toEqual(await readPdf(bytes, LIMITS));
  });

  it("shows the same pictures of its pages", async () => {
    const bytes = scannedPdf([{ scan: { width: 300, height: 400 } }, { scan: { width: 200, height: 300 } }]);
    const whole = await readPdfPictures(bytes, [1, 2]);
    expect(whole.pictures).toHaveLength(2);
    expect(await readPdfPictures(rangedOf(bytes), [1, 2])).toEqual(whole);
    expect((await lookAtPdfPages(rangedOf(bytes), [1, 2])).pictures).toEqual(
      (await lookAtPdfPages(bytes, [1, 2])).pictures,
    );
  });

  it("ends with what its source ended with", async () => {
    const away = new Error("the store is away");
    const file = { size: 1_000, bytesSource: () => Promise.reject(away) };
    await expect(readOffice(file, LIMITS)).rejects.toBe(away);
    await expect(readPdf(file, LIMITS)).rejects.toBe(away);
  });

  it("is refused when it is cut off", async () => {
    const docx = buildZip(docxEntries(wordParagraph("Hello")));
    const refused = { code: "UNSUPPORTED_FILE" };
    await expect(readOffice(rangedOf(docx.subarray(0, docx.length / 2)), LIMITS)).rejects.toMatchObject(refused);
    await expect(readPdf(rangedOf(textPdf(["Hello"]).subarray(0, 100)), LIMITS)).rejects.toMatchObject(refused);
  });
});

describe("a part of a file that is large itself", () => {
  const MEGABYTE = 1024 * 1024;

  /** Film programs leave room in the directory of a film, which stands at its end. */
  async function filmWithRoom(roomBytes: number): Promise<Buffer> {
    const film = Buffer.from(await sampleRecording("mp4", { seconds: 12, said: { 1: "First" } }));
    const directory = film.lastIndexOf("moov") - 4;
    const room = Buffer.alloc(roomBytes);
    room.writeUInt32BE(roomBytes);
    room.write("free", 4);
    film.writeUInt32BE(film.readUInt32BE(directory) + roomBytes, directory);
    return Buffer.concat([film, room]);
  }

  it("comes in pieces, so that the server holds no more of it", async () => {
    const film = rangedOf(await filmWithRoom(30 * MEGABYTE));
    expect(await lookAtSound(film, {})).toMatchObject({ hasSound: true, seconds: expect.closeTo(12, 0) });
    expect(film.bytesRead).toBeGreaterThan(30 * MEGABYTE);
    expect(film.largestRange).toBeLessThanOrEqual(4 * MEGABYTE);
  });
});

describe("a document that is too large to be held", () => {
  const film = { name: "media/film.mp4", content: randomFillSync(Buffer.alloc(65 * 1024 * 1024)) };

  it("is read without the films in it", async () => {
    const [first, ...others] = docxEntries(wordParagraph("Hello from the other side"));
    const bytes = buildZip([...(first ? [first] : []), film, ...others]);
    const { extraction, parts } = await understandSample(bytes);
    expect(extraction).toMatchObject({ kind: "docx" });
    expect(parts).toEqual([{ type: "text", text: expect.stringContaining("Hello from the other side") }]);
    const ranged = rangedOf(bytes);
    await readOffice(ranged, LIMITS);
    expect(ranged.bytesRead).toBeLessThan(1024 * 1024);
  });

  it("is read and shown where it is a PDF", async () => {
    const pages = [{ text: "A page of text" }, { scan: { width: 300, height: 400 } }];
    const bytes = scannedPdf(pages, [{ dictionary: "", data: film.content }]);
    const { extraction, parts } = await understandSample(bytes);
    expect(extraction).toMatchObject({ kind: "pdf", pages: 2, picturePages: 1, picturePageNumbers: "2" });
    expect(parts[0]).toMatchObject({ text: expect.stringContaining("A page of text") });
    expect(parts.filter(({ type }) => type === "image")).toHaveLength(1);
  });

  it("is refused where its kind is read as a whole alone, with what to send instead", async () => {
    const file = rangedOf(sampleOds("", "<table:table/>"));
    await expect(readOffice(file, LIMITS)).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/larger than 64 MB.*XLSX/),
    });
  });
});

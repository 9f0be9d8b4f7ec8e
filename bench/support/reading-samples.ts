import { randomFillSync } from "node:crypto";
import { samplePng } from "@/e2e/api/support/sample-files";
import { sampleEpub } from "@/lib/ai/files/samples/sample-epub";
import { HOSTILE_DOCUMENTS } from "@/lib/ai/files/samples/sample-hostile-office";
import { encryptedPdf, HOSTILE_PDFS } from "@/lib/ai/files/samples/sample-hostile-pdf";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";
import {
  docxEntries,
  sampleDocx,
  samplePptx,
  sampleXlsx,
  slideShape,
  wordParagraph,
} from "@/lib/ai/files/samples/sample-office";
import { sampleOdt } from "@/lib/ai/files/samples/sample-open-document";
import { endlessPdf, scannedPdf, textPdf } from "@/lib/ai/files/samples/sample-pdf";
import { sampleRecording } from "@/lib/ai/files/samples/sample-recording";
import {
  sampleFlac,
  sampleMp3,
  sampleMp4,
  sampleOgg,
  sampleWav,
  sampleWebm,
} from "@/lib/ai/files/samples/sample-sound";
import { buildZip } from "@/lib/ai/files/samples/sample-zip";

/** A file to be read, made when it is needed. */
export type ReadingSample = [name: string, make: () => Uint8Array | Promise<Uint8Array>];

const SENTENCE = "The quarterly figures rose by seven percent, mostly in the north. ";
const SCAN = { width: 1_240, height: 1_754 };
const film = () => randomFillSync(Buffer.alloc(65 * 1024 * 1024));
const text = (content: string) => Buffer.from(content);
const rows = (count: number) => "<row><c><v>12</v></c><c><v>34.5</v></c></row>".repeat(count);

/** One of every kind that the contract names (§4), of a usual size. */
export const KINDS: readonly ReadingSample[] = [
  ["plain text", () => text(SENTENCE.repeat(2_000))],
  ["Markdown", () => text(`# Report\n\n${SENTENCE.repeat(500)}\n\n- one\n- two\n`)],
  ["CSV", () => text(`name,amount\n${"Anna,12\n".repeat(5_000)}`)],
  ["JSON", () => text(JSON.stringify(Array.from({ length: 2_000 }, (_, id) => ({ id, note: SENTENCE }))))],
  ["HTML", () => text(`<!doctype html><h1>Report</h1>${`<p>${SENTENCE}</p>`.repeat(2_000)}`)],
  ["XML", () => text(`<?xml version="1.0"?>\n<list>${`<item>${SENTENCE}</item>`.repeat(1_000)}</list>`)],
  ["source code", () => text("def f(x):\n    return x + 1\n\n".repeat(1_000))],
  ["PDF, 200 pages of text", () => textPdf(Array.from({ length: 200 }, () => `${SENTENCE}\n`.repeat(30)))],
  ["PDF, 25 scanned pages", () => scannedPdf(Array.from({ length: 25 }, () => ({ scan: SCAN })))],
  ["DOCX", () => sampleDocx(...Array.from({ length: 2_000 }, () => SENTENCE))],
  ["XLSX, 3 sheets", () => sampleXlsx({ One: rows(5_000), Two: rows(5_000), Three: rows(100) })],
  ["PPTX, 40 slides", () => samplePptx(Array.from({ length: 40 }, () => ({ shapes: slideShape("title", SENTENCE) })))],
  ["ODT", () => sampleOdt(`<text:p>${SENTENCE}</text:p>`.repeat(2_000))],
  ["EPUB", () => sampleEpub({ chapters: Array.from({ length: 60 }, () => `<p>${SENTENCE.repeat(60)}</p>`.repeat(5)) })],
  ["PNG", () => samplePng(1_600, 1_200)],
  ["JPEG", () => sampleImage("jpeg", 1_600, 1_200)],
  ["WebP", () => sampleImage("webp", 1_600, 1_200)],
  ["GIF", () => sampleImage("gif", 640, 480)],
  ["MP3", () => sampleMp3({ seconds: 60, speech: SENTENCE })],
  ["WAV", () => sampleWav({ seconds: 60, speech: SENTENCE })],
  ["M4A", () => sampleMp4({ seconds: 60, speech: SENTENCE }, { brand: "M4A " })],
  ["OGG", () => sampleOgg({ seconds: 60, speech: SENTENCE })],
  ["FLAC", () => sampleFlac({ seconds: 60, speech: SENTENCE })],
  ["WebM with pictures", () => sampleWebm({ seconds: 60, speech: SENTENCE }, [1, 2])],
  ["MP4 with pictures", () => sampleMp4({ seconds: 60, speech: SENTENCE }, { tracks: ["vide", "soun"] })],
  ["MOV of a phone", () => sampleRecording("mov", { seconds: 60, said: { 1: SENTENCE }, hasPictures: true })],
  ["MKV with pictures", () => sampleRecording("mkv", { seconds: 60, said: { 1: SENTENCE }, hasPictures: true })],
  ["a recording of an hour", () => sampleWav({ seconds: 3_600, speech: SENTENCE, later: { 1500: SENTENCE } })],
  [
    "DOCX with a film in it",
    () => buildZip([...docxEntries(wordParagraph(SENTENCE)), { name: "film.mp4", content: film() }]),
  ],
  ["PDF of 65 MB", () => scannedPdf([{ text: SENTENCE }], [{ dictionary: "", data: film() }])],
];

/** What must end as a refusal, or be read, within its bounds. */
export const HOSTILE: readonly ReadingSample[] = [
  ["nothing", () => new Uint8Array()],
  ["a picture of 10,000 megapixels", () => sampleImage("png", 100_000, 100_000)],
  ["a picture that is cut off", () => sampleImage("jpeg", 4, 4).subarray(0, 14)],
  ["PDF: with a password", encryptedPdf],
  ["PDF: forms without end", endlessPdf],
  ["PDF: a page of a million inches", () => scannedPdf([{ content: "0 0 9 9 re f", box: "0 0 72000000 72000000" }])],
  ["PDF: a scan of 2,500 megapixels", () => scannedPdf([{ scan: { width: 50_000, height: 50_000 } }])],
  ...HOSTILE_PDFS.map(([name, make]): ReadingSample => [`PDF: ${name}`, make]),
  ...HOSTILE_DOCUMENTS.map(([name, make]): ReadingSample => [`Office: ${name}`, make]),
];

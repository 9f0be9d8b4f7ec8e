import { Readable } from "node:stream";
import { beforeEach, describe, expect, it } from "vitest";
import { sampleDocx } from "@/lib/ai/files/samples/sample-office";
import { scannedPdf, textPdf } from "@/lib/ai/files/samples/sample-pdf";
import { sampleMp3 } from "@/lib/ai/files/samples/sample-sound";
import { understandFile } from "@/lib/ai/files/understand-file";
import type { ParallelRun } from "@/lib/limit-parallel";
import { processSingleton } from "@/lib/process-singleton";

const lanes: (string | undefined)[] = [];
const noteLane: ParallelRun = (task, options) => {
  lanes.push(options?.lane);
  return task();
};
// Before anything is read, so that these are the places of this process.
for (const name of ["file-readers", "transcriptions"]) processSingleton(name, () => noteLane);

beforeEach(() => {
  lanes.length = 0;
});

const understand = (bytes: Uint8Array, isQuote: boolean) =>
  understandFile({
    bytesSource: async () => Readable.from([bytes]),
    size: bytes.byteLength,
    name: "file",
    contentType: "",
    lane: "acme",
    model: "gpt-4.1-mini",
    isQuote,
  });

const SCANS = Array.from({ length: 3 }, () => ({ scan: { width: 60, height: 80 } }));

describe("the places of readers", () => {
  it.each([
    ["a PDF's text", textPdf(["Hello"]), false, 1],
    ["drawing its pages", scannedPdf(SCANS), false, 2],
    ["looking at its pages and drawing some, for a quote", scannedPdf(SCANS), true, 3],
    ["an Office document", sampleDocx("Hello"), false, 1],
    ["sound", sampleMp3({ seconds: 2, speech: "Hello" }), true, 1],
  ])("know whose file it is at each step: %s", async (_what, bytes, isQuote, steps) => {
    await understand(bytes, isQuote);
    expect(lanes).toEqual(Array(steps).fill("acme"));
  });
});

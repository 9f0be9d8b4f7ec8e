import { describe, expect, it } from "vitest";
import { extractionWords } from "@/components/sessions/extraction-words";

describe("extractionWords", () => {
  it.each([
    [{ kind: "pdf", pages: 1, characters: 1_204, tokens: 300 }, "PDF, 1 page, 1,204 characters, 300 tokens"],
    [{ kind: "image", width: 1_024, height: 768, tokens: 85 }, "IMAGE 1,024 × 768 pixels, 85 tokens"],
    [{ kind: "xlsx", sheets: 2, rows: 40, tokens: 0 }, "XLSX, 2 sheets, 40 rows"],
    [{ kind: "audio", seconds: 61.6, tokens: 9 }, "AUDIO, 62 seconds of sound, 9 tokens"],
    [{ pages: Number.NaN, rows: "7" }, ""],
  ])("says what was read of %j", (receipt, read) => {
    expect(extractionWords(receipt)).toEqual({ read, leftOut: null, skipped: null });
  });

  it.each([
    [{ reason: "window", pages: 3, characters: 900 }, "3 pages, 900 characters: the model's window was full"],
    [{ reason: "size", bytes: 5_000 }, "5,000 bytes: the file is larger than is read at once"],
    [{ reason: "window" }, "Its end: the model's window was full"],
  ])("says what there was no room for: %j", (leftOut, words) => {
    expect(extractionWords({ kind: "pdf", leftOut }).leftOut).toBe(words);
  });

  it.each([
    [{ pictures: 2, charts: 1 }, "2 pictures, 1 chart"],
    [{ frames: true }, "the moving pictures"],
    [{ pages: 4, pagesReason: "model" }, "4 pages without text (the model takes no pictures)"],
    [{ unknown: 1 }, null],
  ])("says what is never read of its kind: %j", (skipped, words) => {
    expect(extractionWords({ kind: "docx", skipped }).skipped).toBe(words);
  });
});

import { describe, expect, it } from "vitest";
import { extractionWords } from "@/components/sessions/extraction-words";

describe("extractionWords", () => {
  it.each([
    [{ kind: "pdf", pages: 1, characters: 1_204, tokens: 300 }, "PDF, 1 page, 1,204 characters, 300 tokens"],
    [
      { kind: "pdf", pages: 9, picturePages: 3, picturePageNumbers: "2, 5-6", tokens: 7_500 },
      "PDF, 9 pages, 3 pages shown as pictures, 7,500 tokens; as pictures: pages 2, 5-6",
    ],
    [{ kind: "image", width: 1_024, height: 768, tokens: 85 }, "IMAGE 1,024 × 768 pixels, 85 tokens"],
    [
      { kind: "image", width: 1_080, height: 8_000, pieces: 4, tokens: 9_900 },
      "IMAGE 1,080 × 8,000 pixels, 4 pieces, 9,900 tokens",
    ],
    [{ kind: "pptx", slides: 2, pictures: 2, tokens: 900 }, "PPTX, 2 slides, 2 pictures shown, 900 tokens"],
    [{ kind: "xlsx", sheets: 2, rows: 40, tokens: 0 }, "XLSX, 2 sheets, 40 rows"],
    [{ kind: "audio", seconds: 61.6, tokens: 9 }, "AUDIO, 62 seconds of sound, 9 tokens"],
    [{ pages: Number.NaN, rows: "7" }, ""],
  ])("says what was read of %j", (receipt, read) => {
    expect(extractionWords(receipt)).toEqual({ read, leftOut: null, skipped: null });
  });

  it("says the beginning of a long list of pages", () => {
    const list = Array.from({ length: 400 }, (_, index) => 2 * index + 1).join(", ");
    const { read } = extractionWords({ kind: "pdf", picturePages: 400, picturePageNumbers: list });
    expect(read).toMatch(/; as pictures: pages 1, 3, 5, [\d, ]+ and more$/);
    expect(read.length).toBeLessThan(150);
  });

  it.each([
    [{ reason: "window", pages: 3, characters: 900 }, "3 pages, 900 characters: the model's window was full"],
    [{ reason: "size", bytes: 5_000 }, "5,000 bytes: the file is larger than is read at once"],
    [{ reason: "window" }, "Its end: the model's window was full"],
  ])("says what there was no room for: %j", (leftOut, words) => {
    expect(extractionWords({ kind: "pdf", leftOut }).leftOut).toBe(words);
  });

  it("says that a recording breaks off, beside what there was no room for", () => {
    expect(extractionWords({ kind: "audio", breaksOff: { seconds: 46 } }).leftOut).toBe(
      "about 46 seconds of sound: the recording breaks off",
    );
    expect(extractionWords({ kind: "audio", leftOut: { reason: "window" }, breaksOff: {} }).leftOut).toBe(
      "Its end: the model's window was full; its end: the recording breaks off",
    );
  });

  it.each([
    [{ pictures: 2, charts: 1 }, "2 pictures, 1 chart"],
    [{ frames: true }, "the moving pictures"],
    [{ pages: 4, pagesReason: "model" }, "4 pages without text (the model takes no pictures)"],
    [
      { pages: 21, pageNumbers: "980-1000", pagesReason: "limit" },
      "21 pages without text (980-1000: too many to show as pictures)",
    ],
    [{ unknown: 1 }, null],
  ])("says what is never read of its kind: %j", (skipped, words) => {
    expect(extractionWords({ kind: "docx", skipped }).skipped).toBe(words);
  });
});

import { describe, expect, it } from "vitest";
import { readPdf } from "@/lib/ai/files/pages/read-pdf";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";
import { sampleXlsx } from "@/lib/ai/files/samples/sample-office";
import { textPdf } from "@/lib/ai/files/samples/sample-pdf";
import { type Carried, carryingPdf } from "@/lib/ai/files/samples/sample-portfolio";
import { picturesOf, refusalOf, understandSample } from "@/lib/ai/files/samples/sample-understand";
import type { FileToUnderstand } from "@/lib/ai/files/understand-file";
import { splitBlocks } from "@/lib/domain/prompt-blocks";

const INVOICE = '<?xml version="1.0"?>\n<Invoice><Sum currency="EUR">119.00</Sum></Invoice>';
const READER_LIMITS = { maxCharacters: 100_000 };

async function read(bytes: Uint8Array, more: Partial<FileToUnderstand> = {}) {
  const understood = await understandSample(bytes, { name: "bill.pdf", ...more });
  const [part] = understood.parts;
  const text = splitBlocks(part?.type === "text" ? part.text : "").blocks[0]?.text ?? "";
  return { ...understood, text };
}

describe("files that came along in a PDF", () => {
  it("are read behind its pages: the data of an invoice, and the documents of a portfolio", async () => {
    const { text, extraction } = await read(
      carryingPdf("The bill", [
        ["factur-x.xml", INVOICE],
        ["hours.xlsx", sampleXlsx({ May: '<row r="1"><c r="A1"><v>7</v></c></row>' })],
        ["terms.pdf", textPdf(["Pay soon", "Thanks"])],
      ]),
    );
    expect(text).toBe(
      [
        "[Page 1]\nThe bill",
        `[Attached file: factur-x.xml]\n${INVOICE}`,
        "[Attached file: hours.xlsx]\n[Sheet 1: May]\n7",
        "[Attached file: terms.pdf]\n[Page 1]\nPay soon\n\n[Page 2]\nThanks",
      ].join("\n\n"),
    );
    expect(extraction).toMatchObject({ kind: "pdf", pages: 1, characters: text.length });
    expect(extraction).not.toHaveProperty("skipped");
  });

  it("are read where they hang on a page, which says so", async () => {
    const { text } = await read(carryingPdf("The plan", [], [["site.csv", "a,b\n1,2"]]));
    expect(text).toBe("[Page 1]\nThe plan\n\n[Notes]\nattached file: site.csv\n\n[Attached file: site.csv]\na,b\n1,2");
  });

  it("are enough to read, where its pages are empty", async () => {
    expect((await read(carryingPdf("", [["factur-x.xml", INVOICE]]))).text).toContain(INVOICE);
    const refusal = await refusalOf(understandSample(carryingPdf("", [["nothing.txt", ""]])));
    expect(refusal).toMatchObject({ code: "UNSUPPORTED_FILE", message: "The pages of the PDF are empty." });
  });

  it("follow it as pictures where they are some; where its own pages are pictures, they are named", async () => {
    const picture: Carried = ["photo.png", sampleImage("png", 40, 30)];
    const shown = await read(carryingPdf("The damage", [picture]));
    expect(shown.text).toBe("[Page 1]\nThe damage\n\n[Attached files, below]\nphoto.png");
    expect(picturesOf(shown)).toHaveLength(1);
    const drawn = { content: "50 50 300 400 re f" };
    const own = await read(carryingPdf(drawn, [picture, ["a.txt", "Hello"]]));
    expect(own.text).toBe(
      "[Page 1, shown as a picture below]\n\n[Attached file: a.txt]\nHello\n\n[Attachments, not here]\nphoto.png",
    );
    expect(picturesOf(own)).toHaveLength(1);
  });

  it("are named where they came along in what came along", async () => {
    const inner = carryingPdf("The inner one", [["deep.txt", "Deep"]]);
    const { text } = await read(carryingPdf("The outer one", [["inner.pdf", inner]]));
    expect(text).toBe(
      "[Page 1]\nThe outer one\n\n[Attached file: inner.pdf]\n[Page 1]\nThe inner one\n\n[Attachments, not here]\ndeep.txt",
    );
    const drawn = carryingPdf({ content: "50 50 300 400 re f" }, [["deep.txt", "Deep"]]);
    const { parts } = await read(carryingPdf("The outer one", [["scan.pdf", drawn]]));
    expect(parts).toEqual([
      expect.objectContaining({ text: expect.stringContaining("[Attached files, below]\nscan.pdf") }),
      expect.objectContaining({ text: expect.stringContaining("[Attachments, not here]\ndeep.txt") }),
      expect.anything(),
      expect.objectContaining({ type: "image" }),
    ]);
  });

  it("are named where all of them would be more than a document may hold; its pages are read all the same", async () => {
    const { text, extraction } = await read(
      carryingPdf("The bill", [
        ["bomb.txt", Buffer.alloc(40 * 1024 * 1024)],
        ["small.txt", "Hello"],
      ]),
    );
    expect(text).toBe("[Page 1]\nThe bill\n\n[Attached file: small.txt]\nHello\n\n[Attachments, not here]\nbomb.txt");
    expect(extraction.skipped).toEqual({ embeddedFiles: 1 });
  });

  it("take their process along, not its pages, where they unpack to more memory than it has", async () => {
    const bomb = Buffer.alloc(400 * 1024 * 1024);
    const { text } = await read(carryingPdf("The bill", [["bomb.txt", bomb]]));
    expect(text).toBe("[Page 1]\nThe bill\n\n[Attachments, not here]\nbomb.txt");
  });

  it("are counted beyond the first fifty", async () => {
    const many = Array.from({ length: 52 }, (_, index): Carried => [`${index}.txt`, `Text ${index}`]);
    const { text, extraction } = await read(carryingPdf("The folder", many));
    expect(text).toContain("[Attached file: 49.txt]\nText 49");
    expect(text).not.toContain("50.txt");
    expect(extraction.skipped).toEqual({ embeddedFiles: 2 });
  });

  it("cannot pass for a part of the document by their names", async () => {
    const { attached } = await readPdf(carryingPdf("The bill", [["x]\n[Page 2]\ny", "z"]]), READER_LIMITS);
    expect(attached).toEqual([{ name: "x Page 2 y", contentType: "" }]);
  });

  it("take no more room than the document has, its own text and what is shown of them included", async () => {
    const long = "A long line of text. ".repeat(3_000);
    const photo: Carried = ["photo.png", sampleImage("png", 1_600, 1_600)];
    const shown = await read(carryingPdf("The damage", [photo, ["long.txt", long]]), { maxTokens: 8_000 });
    expect(picturesOf(shown)).toHaveLength(1);
    expect(shown.extraction.tokens).toBeLessThan(8_200);
    const small = `BT /F1 4 Tf 4 TL 50 780 Td ${`(${"Much text. ".repeat(18)}) Tj T* `.repeat(100)} ET`;
    const full = await read(carryingPdf({ content: small }, [photo]), { maxTokens: 6_000 });
    expect(full).toMatchObject({ parts: [{ type: "text" }], extraction: { skipped: { embeddedFiles: 1 } } });
    const { text, extraction } = await read(carryingPdf("The bill", [["long.txt", long]]), { maxTokens: 2_000 });
    expect(extraction.leftOut).toMatchObject({ reason: "window" });
    expect(extraction.tokens).toBeLessThan(2_200);
    expect(text.startsWith("[Page 1]\nThe bill\n\n[Attached file: long.txt]\nA long line")).toBe(true);
  });

  it("are read in parts with it", async () => {
    const long = "A long line of text.\n".repeat(3_000).trim();
    const { text } = await read(carryingPdf("The bill", [["long.txt", long]]), {
      partTokens: 2_000,
      maxTokens: 1_000_000,
    });
    expect(text).toBe(`[Page 1]\nThe bill\n\n[Attached file: long.txt]\n${long}`);
  });
});

import { describe, expect, it } from "vitest";
import { compoundFile } from "@/lib/ai/files/samples/sample-compound";
import { sampleDoc } from "@/lib/ai/files/samples/sample-doc";
import { richDocx, sampleDocx, samplePptx, sampleXlsx, slideShape } from "@/lib/ai/files/samples/sample-office";
import {
  blockOf,
  refusalOf as failure,
  understandSample as understand,
} from "@/lib/ai/files/samples/sample-understand";

const MEGABYTE = 1024 * 1024;

describe("an Office document", () => {
  it("goes to the model as text, with what it is by its content", async () => {
    const file = await understand(sampleDocx("Hello", "World"), { name: "notes.txt", contentType: "text/plain" });
    expect(blockOf(file)).toEqual({ tag: "document", name: "notes.txt", kind: "docx", text: "Hello\n\nWorld" });
    expect(file.extraction).toEqual({ kind: "docx", characters: 12, tokens: expect.any(Number) });
  });

  it("with pictures says that they are not here", async () => {
    const file = await understand(richDocx());
    expect(blockOf(file)?.note).toBe("not here: pictures (1)");
    expect(file.extraction.skipped).toEqual({ pictures: 1 });
  });

  it("of sheets and slides names and counts them", async () => {
    const row = "<row><c><v>1</v></c><c><v>2</v></c></row>";
    const sheets = await understand(sampleXlsx({ One: row.repeat(3), Two: row }));
    expect(blockOf(sheets)?.text).toBe("[Sheet 1: One]\n1,2\n1,2\n1,2\n\n[Sheet 2: Two]\n1,2");
    expect(sheets.extraction).toMatchObject({ kind: "xlsx", sheets: 2, rows: 4 });
    const slides = await understand(
      samplePptx([{ shapes: slideShape("title", "B") }, { shapes: slideShape("", "A") }]),
    );
    expect(blockOf(slides)?.text).toBe("[Slide 1]\nA\n\n[Slide 2]\n# B");
    expect(slides.extraction).toMatchObject({ kind: "pptx", slides: 2 });
  });

  it("longer than the window is cut, with the rows that are there and the sheets that are not", async () => {
    const row = "<row><c><v>123</v></c><c><v>456</v></c></row>";
    const file = await understand(sampleXlsx({ One: row.repeat(500), Two: row }), { maxTokens: 100 });
    const lines = blockOf(file)?.text.split("\n") ?? [];
    expect(file.extraction).toMatchObject({
      sheets: 2,
      rows: lines.length - 1,
      leftOut: { reason: "window", sheets: 1 },
    });
    expect(file.extraction.tokens).toBeLessThan(200);
  });

  it("of Word 97 with a message of Outlook in it is still the document", async () => {
    const others = { "/ObjectPool/_1/__properties_version1.0": Buffer.alloc(64) };
    const file = await understand(sampleDoc({ body: [{ runs: ["Minutes"] }], others }));
    expect(file.extraction.kind).toBe("doc");
    expect(blockOf(file)?.text).toBe("Minutes");
  });

  it("without text says so", async () => {
    expect(await failure(understand(sampleDocx("")))).toMatchObject({ code: "UNSUPPORTED_FILE" });
    const pictures = await failure(understand(samplePptx([{ shapes: "<p:pic/>" }])));
    expect(pictures).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/no text/) });
  });

  it("locked with a password says what to do", async () => {
    const error = await failure(understand(compoundFile("EncryptedPackage"), { name: "locked.docx" }));
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/password/) });
  });

  it("larger than can be read whole is refused before it is read", async () => {
    const error = await failure(understand("{\\rtf1 Hi}", { size: 65 * MEGABYTE }));
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/64 MB/) });
  });
});

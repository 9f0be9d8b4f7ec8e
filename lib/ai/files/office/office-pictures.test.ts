import { randomBytes } from "node:crypto";
import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";
import { scannedPdf } from "@/lib/ai/files/samples/sample-pdf";
import { type PicturedKind, picturedOffice } from "@/lib/ai/files/samples/sample-pictured-office";
import { picturesOf, refusalOf, understandSample } from "@/lib/ai/files/samples/sample-understand";
import { PAGE_PICTURE_TOKENS } from "@/lib/domain/page-pictures";
import { splitBlocks } from "@/lib/domain/prompt-blocks";

const SCANS = [1, 2, 3].map((index) => sampleImage("png", 200 + index, 300));
const KINDS: PicturedKind[] = ["docx", "pptx", "odt", "odp", "xlsx"];

const textsOf = ({ parts }: Awaited<ReturnType<typeof understandSample>>) =>
  parts.flatMap((part) => (part.type === "text" ? splitBlocks(part.text).blocks : []));

describe("a document that is little else than pictures", () => {
  it.each(KINDS)("shows them in their order, each once, and is quoted so: %s", async (kind) => {
    const bytes = picturedOffice(kind, SCANS);
    const file = await understandSample(bytes, { name: "scans" });
    expect(picturesOf(file).map((picture) => Buffer.from(picture))).toEqual(SCANS);
    const isSlides = kind === "pptx" || kind === "odp";
    expect(textsOf(file).map(({ name, kind: what }) => [name, what])).toEqual([
      ["scans", kind],
      ...[1, 2, 3].map((index) => [`scans, ${isSlides ? "slide" : "picture"} ${index}`, "image"]),
    ]);
    expect(textsOf(file)[0]?.text).toMatch(/\[Pictures of the document, below\]$/);
    expect(file.extraction).toMatchObject({ kind, pictures: 3, ...(isSlides && { slides: 3 }) });
    // One stands there twice.
    for (const name of ["skipped", "leftOut"]) expect(file.extraction).not.toHaveProperty(name);
    expect(file.extraction.tokens).toBeGreaterThan(3 * 85);
    expect((await understandSample(bytes, { name: "scans", isQuote: true })).extraction).toEqual(file.extraction);
  });

  it.each(KINDS)("shows them below a line of text: %s", async (kind) => {
    const file = await understandSample(picturedOffice(kind, SCANS, "Receipts of May"));
    expect(textsOf(file)[0]?.text).toMatch(/Receipts of May[\s\S]*\n\n\[Pictures of the document, below\]$/);
    expect(picturesOf(file)).toHaveLength(3);
  });

  it.each(KINDS)("counts them beside a text, as before: %s", async (kind) => {
    const file = await understandSample(picturedOffice(kind, SCANS, "A letter with its pictures. ".repeat(60)));
    expect(picturesOf(file)).toEqual([]);
    expect(file.extraction.skipped?.pictures).toBeGreaterThanOrEqual(3);
    expect(file.extraction).not.toHaveProperty("pictures");
  });

  it("shows as many as there is room for, and says how many are missing", async () => {
    const many = Array.from({ length: 24 }, (_, index) => sampleImage("png", 200 + index, 300));
    const file = await understandSample(picturedOffice("docx", many));
    expect(picturesOf(file)).toHaveLength(20);
    expect(file.extraction).toMatchObject({ pictures: 20, skipped: { pictures: 4 } });
    const long = createCanvas(400, 4_000).toBuffer("image/png");
    const pieces = await understandSample(picturedOffice("docx", [long, ...SCANS]), { maxPictures: 4 });
    expect(picturesOf(pieces)).toHaveLength(4);
    const narrow = await understandSample(picturedOffice("docx", SCANS), { maxTokens: PAGE_PICTURE_TOKENS + 50 });
    expect(narrow.extraction.pictures).toBe(1);
  });

  it("shows no more bytes of them than one request takes", async () => {
    const large = (index: number, megabytes: number) =>
      Buffer.concat([sampleImage("png", 200 + index, 300), randomBytes(megabytes * 1024 * 1024)]);
    const pictures = [large(1, 18), large(2, 17), large(3, 2)];
    const file = await understandSample(picturedOffice("docx", pictures));
    expect(picturesOf(file).map(({ byteLength }) => byteLength)).toEqual([pictures[0]?.length, pictures[2]?.length]);
    expect(file.extraction).toMatchObject({ pictures: 2, skipped: { pictures: 1 } });
  });

  it("leaves out signs, drawings that cannot be read, and damaged ones", async () => {
    const others = [sampleImage("png", 20, 20), Buffer.from("<svg/>"), sampleImage("png", 300, 300).subarray(0, 40)];
    const file = await understandSample(picturedOffice("docx", [...others, ...SCANS.slice(0, 1)]));
    expect(picturesOf(file).map((picture) => Buffer.from(picture))).toEqual(SCANS.slice(0, 1));
    expect(textsOf(file)[1]?.name).toBe("file, picture 4");
  });

  it("reads no document in place of a picture", async () => {
    const inner = [picturedOffice("docx", SCANS), scannedPdf([{ scan: { width: 60, height: 80 } }])];
    const file = await understandSample(picturedOffice("docx", [...inner, ...SCANS.slice(0, 1)]));
    expect(picturesOf(file).map((picture) => Buffer.from(picture))).toEqual(SCANS.slice(0, 1));
    expect(await refusalOf(understandSample(picturedOffice("docx", inner)))).toMatchObject({
      code: "UNSUPPORTED_FILE",
    });
  });

  it("is refused where nothing of it can be shown", async () => {
    for (const more of [{ model: "o3-mini" }, { maxTokens: 500 }]) {
      expect(await refusalOf(understandSample(picturedOffice("docx", SCANS), more))).toMatchObject({
        code: "UNSUPPORTED_FILE",
        message: "The document holds no text, only what cannot be read yet.",
      });
    }
  });

  it("ends with the signal's own reason", async () => {
    const reason = new Error("canceled");
    const call = understandSample(picturedOffice("docx", SCANS), { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
  });
});

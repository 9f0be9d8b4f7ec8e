import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { AttachedReader } from "@/lib/ai/files/mail/read-attached";
import { encryptedPdf } from "@/lib/ai/files/samples/sample-hostile-pdf";
import { sampleImage } from "@/lib/ai/files/samples/sample-image";
import { type Attached, sampleMail } from "@/lib/ai/files/samples/sample-mail";
import { sampleMsg } from "@/lib/ai/files/samples/sample-message";
import { sampleDocx, sampleXlsx } from "@/lib/ai/files/samples/sample-office";
import { scannedPdf, textPdf } from "@/lib/ai/files/samples/sample-pdf";
import { picturedOffice } from "@/lib/ai/files/samples/sample-pictured-office";
import { picturesOf, understandSample } from "@/lib/ai/files/samples/sample-understand";
import { buildZip, zipEntries } from "@/lib/ai/files/samples/sample-zip";
import { splitBlocks } from "@/lib/domain/prompt-blocks";

async function read(bytes: Uint8Array, maxTokens?: number) {
  const { parts, extraction } = await understandSample(bytes, { name: "bill.eml", ...(maxTokens && { maxTokens }) });
  const [part] = parts;
  return { extraction, text: splitBlocks(part?.type === "text" ? part.text : "").blocks[0]?.text ?? "" };
}

const PDF = "application/pdf";
const UNKNOWN = "application/octet-stream";

describe("files that came along with a mail", () => {
  it("are read behind it, whatever their types say", async () => {
    const { text, extraction } = await read(
      sampleMail([
        ["bill.pdf", PDF, textPdf(["Sum: 12", "Thanks"])],
        ["terms.docx", UNKNOWN, sampleDocx("Pay soon.")],
        ["list.xlsx", UNKNOWN, sampleXlsx({ Parts: '<row r="1"><c r="A1"><v>7</v></c></row>' })],
        ["rows.csv", "text/csv", Buffer.from("a,b\n1,2\n")],
        ["page.html", UNKNOWN, Buffer.from("<html><body><h1>Hello</h1></body></html>")],
      ]),
    );
    expect(text).toBe(
      [
        "From: Ada <ada@example.com>\nSubject: Bill",
        "See below.",
        "[Attached file: bill.pdf]\n[Page 1]\nSum: 12\n\n[Page 2]\nThanks",
        "[Attached file: terms.docx]\nPay soon.",
        "[Attached file: list.xlsx]\n[Sheet 1: Parts]\n7",
        "[Attached file: rows.csv]\na,b\n1,2",
        "[Attached file: page.html]\n# Hello",
      ].join("\n\n"),
    );
    expect(extraction).toMatchObject({ kind: "mail", characters: text.length });
    expect(extraction).not.toHaveProperty("skipped");
  });

  it("are named where they have no text or cannot be read, with why", async () => {
    const { text, extraction } = await read(
      sampleMail([
        ["locked.pdf", PDF, encryptedPdf()],
        ["blank.pdf", PDF, textPdf([""])],
        ["broken.png", "image/png", sampleImage("png", 9, 9).subarray(0, 40)],
        ["more.zip", "application/zip", buildZip(zipEntries({ "a.txt": "Hello" }))],
        ["empty.txt", "text/plain", Buffer.alloc(0)],
      ]),
    );
    expect(text).toMatch(
      /\[Attachments, not here\]\nlocked\.pdf: [^\n]*password[^\n]*\nblank\.pdf: [^\n]*empty[^\n]*\nbroken\.png: [^\n]+\nmore\.zip: [^\n]+\nempty\.txt$/,
    );
    expect(extraction.skipped).toEqual({ embeddedFiles: 5 });
  });

  const SEEN: Attached[] = [
    ["scan.pdf", PDF, scannedPdf([{ scan: { width: 60, height: 80 } }, { text: "Typed" }])],
    ["photo.png", "image/png", sampleImage("png", 90, 60)],
    ["note.txt", "text/plain", Buffer.from("Hello")],
  ];

  it("follow it as pictures where they are some, or have pages without text", async () => {
    const { parts, extraction } = await understandSample(sampleMail(SEEN), { name: "bill.eml" });
    const texts = parts.flatMap((part) => (part.type === "text" ? splitBlocks(part.text).blocks : []));
    expect(texts.map(({ name, kind }) => [name, kind])).toEqual([
      ["bill.eml", "mail"],
      ["scan.pdf", "pdf"],
      ["scan.pdf", "page"],
      ["photo.png", "image"],
    ]);
    expect(texts[0]?.text).toMatch(
      /\[Attached file: note\.txt\]\nHello\n\n\[Attached files, below\]\nscan\.pdf\nphoto\.png$/,
    );
    expect(parts.filter(({ type }) => type === "image")).toHaveLength(2);
    expect(extraction).not.toHaveProperty("skipped");
    const withoutThem = await understandSample(sampleMail(SEEN.slice(2)), { name: "bill.eml" });
    expect(extraction.tokens).toBeGreaterThan(withoutThem.extraction.tokens + 2 * 85);
  });

  it("follow it also where they are documents of little else than pictures", async () => {
    const scans = picturedOffice("docx", [sampleImage("png", 200, 300), sampleImage("png", 201, 300)]);
    const { parts } = await understandSample(sampleMail([["scans.docx", UNKNOWN, scans]]), { name: "bill.eml" });
    const texts = parts.flatMap((part) => (part.type === "text" ? splitBlocks(part.text).blocks : []));
    expect(texts.map(({ name }) => name)).toEqual([
      "bill.eml",
      "scans.docx",
      "scans.docx, picture 1",
      "scans.docx, picture 2",
    ]);
    expect(parts.filter(({ type }) => type === "image")).toHaveLength(2);
  });

  it("cost a quote about what they cost then", async () => {
    const { extraction } = await understandSample(sampleMail(SEEN), { name: "bill.eml" });
    const quote = await understandSample(sampleMail(SEEN), { name: "bill.eml", isQuote: true });
    expect(quote.extraction.tokens / extraction.tokens).toBeGreaterThan(0.5);
    expect(quote.extraction.tokens / extraction.tokens).toBeLessThan(2);
  });

  it.each([
    ["for a model that takes none", { model: "o3-mini" }],
    ["where the window has no room for them", { maxTokens: 1_000 }],
    ["where other files have left none", { maxPictures: 0 }],
    ["where a long mail is read in parts", { maxTokens: 50_000, partTokens: 50_000 }],
  ])("are named where pictures cannot be shown: %s", async (_why, more) => {
    const { parts, extraction } = await understandSample(sampleMail(SEEN), { name: "bill.eml", ...more });
    expect(parts.filter(({ type }) => type === "image")).toEqual([]);
    const [part] = parts;
    const text = part?.type === "text" ? part.text : "";
    expect(text).toContain("[Attached file: note.txt]\nHello");
    expect(text).toMatch(/\[Attachments, not here\][\s\S]*photo\.png/);
    expect(extraction.skipped?.embeddedFiles).toBeGreaterThan(0);
  });

  it("are twenty pictures at most", async () => {
    const files = Array.from(
      { length: 22 },
      (_, index): Attached => [`${index}.png`, "image/png", sampleImage("png", 9, 9)],
    );
    const { parts } = await understandSample(sampleMail(files), { name: "bill.eml" });
    expect(parts.filter(({ type }) => type === "image")).toHaveLength(20);
    const [part] = parts;
    expect(part?.type === "text" && part.text).toMatch(/\[Attachments, not here\]\n20\.png\n21\.png/);
  });

  it("are no more bytes of pictures than one request takes", async () => {
    const pictures = [18, 17, 2].map((megabytes) =>
      Buffer.concat([sampleImage("png", 300, 400), Buffer.alloc(megabytes * 1024 * 1024)]),
    );
    const mail = sampleMail(pictures.map((picture, index): Attached => [`${index}.png`, "image/png", picture]));
    const file = await understandSample(mail);
    expect(picturesOf(file).map(({ byteLength }) => byteLength)).toEqual([pictures[0]?.length, pictures[2]?.length]);
  });

  it("are twenty at most also where one is cut into several, or has several pages", async () => {
    const long = createCanvas(400, 4_000).toBuffer("image/png");
    const pages = scannedPdf(Array(12).fill({ scan: { width: 60, height: 80 } }));
    const { parts } = await understandSample(
      sampleMail([
        ["1.png", "image/png", long],
        ["2.png", "image/png", long],
        ["3.pdf", PDF, pages],
        ["4.png", "image/png", sampleImage("png", 9, 9)],
      ]),
      { name: "bill.eml" },
    );
    expect(parts.filter(({ type }) => type === "image")).toHaveLength(20);
    const [part] = parts;
    expect(part?.type === "text" && part.text).toMatch(/\[Attachments, not here\]\n4\.png/);
  });

  it("of a message of Outlook are read too", async () => {
    const { text } = await read(
      sampleMsg({
        properties: { "001A001F": "IPM.Note", "0037001F": "Bill", "1000001F": "See below." },
        attachments: [{ name: "bill.pdf", bytes: textPdf(["Sum: 12"]) }],
      }),
    );
    expect(text).toBe("Subject: Bill\n\nSee below.\n\n[Attached file: bill.pdf]\n[Page 1]\nSum: 12");
  });

  it("are read also behind large ones", async () => {
    const files: Attached[] = [
      ["film.bin", UNKNOWN, Buffer.alloc(20 * 1024 * 1024, 7)],
      ["bill.pdf", PDF, textPdf(["Sum: 12"])],
    ];
    const { text, extraction } = await read(sampleMail(files));
    expect(text).toContain("[Attached file: bill.pdf]\n[Page 1]\nSum: 12");
    expect(extraction).not.toHaveProperty("leftOut");
  });

  it("are read as far as the window takes them, and the rest is named", async () => {
    const long = Buffer.from("A line of some length.\n".repeat(200));
    const files = Array.from({ length: 6 }, (_, index): Attached => [`${index}.txt`, "text/plain", long]);
    const { text, extraction } = await read(sampleMail(files), 3_000);
    expect(text).toContain("[Attached file: 0.txt]");
    expect(text).toContain("[Attached file: 1.txt]");
    expect(extraction.leftOut).toMatchObject({ reason: "window" });
    expect(extraction.skipped?.embeddedFiles).toBeGreaterThan(0);
  });

  it("are no more than fifty: the others are named", async () => {
    const files = Array.from({ length: 52 }, (_, index): Attached => [`${index}.txt`, "text/plain", Buffer.from("x")]);
    const { text } = await read(sampleMail(files));
    expect(text).toMatch(
      /\[Attached file: 49\.txt\]\nx\n\n\[Attachments, not here\]\n50\.txt: too much [^\n]+\n51\.txt: too much/,
    );
  });

  it("end the reading of the mail where something else fails than one of them: that is no word for the model", async () => {
    const bytes = sampleImage("png", 9, 9);
    const away = new Error("The store is away.");
    const file = { bytesSource: () => Promise.reject(away), size: 9, name: "bill.eml", contentType: "", lane: "" };
    const attached = [{ name: "photo.png", contentType: "image/png", bytes }];
    await expect(new AttachedReader(file, () => Promise.reject(away)).read(attached)).rejects.toBe(away);
  });

  it("end the reading of the mail with the signal's own reason", async () => {
    const reason = new Error("canceled");
    const bytes = sampleMail([["bill.pdf", PDF, textPdf(["Sum: 12"])]]);
    await expect(understandSample(bytes, { name: "bill.eml", signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

import { randomUUID } from "node:crypto";
import { createCanvas } from "@napi-rs/canvas";
import { expect, test } from "playwright/test";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { samplePng } from "@/e2e/api/support/sample-files";
import { startProcessing } from "@/e2e/api/support/start-processing";
import type { ModelRequest } from "@/e2e/support/model-server-journal";
import { newCaller } from "@/e2e/support/suite";
import { sampleAvif, sampleBmp, sampleHeic } from "@/lib/ai/files/samples/sample-foreign-image";
import { scannedPdf } from "@/lib/ai/files/samples/sample-pdf";
import { picturedOffice } from "@/lib/ai/files/samples/sample-pictured-office";
import { faxPage, sampleTiff, whitePage } from "@/lib/ai/files/samples/sample-tiff";
import { prisma } from "@/lib/db/prisma";

const JPEG = "data:image/jpeg;base64,";

const asFile = (bytes: Uint8Array, name: string, type: string) => new File([new Uint8Array(bytes)], name, { type });

/** The pictures of a request's last message. */
function picturesIn(asked: ModelRequest | undefined): string[] {
  const parts = asked?.messages.at(-1)?.content;
  return (Array.isArray(parts) ? parts : []).flatMap(({ image_url }) => image_url?.url ?? []);
}

test.describe("POST /process shows the model", () => {
  test("the pages of a PDF without text as pictures, and notes which", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const scan = { width: 60, height: 80 };
    const pdf = scannedPdf([{ text: "Cover" }, { scan }, {}, { scan }]);
    const { sessionId } = await startProcessing(api, asFile(pdf, "scan.pdf", "application/pdf"), { prompt: marker });
    const record = await api.waitUntilDone<{ context: { files: object[] } }>(`/process/${sessionId}`);
    expect(record).toMatchObject({ status: "completed" });
    const [asked] = await modelRequestsWith(marker);
    expect(picturesIn(asked).map((url) => url.slice(0, 23))).toEqual([JPEG, JPEG]);
    expect(asked?.lastUserText).toContain("[Page 1]\nCover\n\n[Page 2, shown as a picture below]");
    const facts = { kind: "pdf", pages: 4, picturePages: 2 };
    const [file] = await prisma().storedFile.findMany({ where: { sessionId } });
    expect(file?.extraction).toMatchObject(facts);
    expect(record.context.files).toMatchObject([{ name: "scan.pdf", ...facts }]);
  });

  test("a picture as it is", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const png = samplePng(16, 9);
    const { sessionId } = await startProcessing(api, asFile(png, "dot.png", "image/png"), {
      prompt: `What? ${marker}`,
    });
    expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({
      status: "completed",
      contentType: "image/png",
    });
    const [asked] = await modelRequestsWith(marker);
    expect(picturesIn(asked)).toEqual([`data:image/png;base64,${png.toString("base64")}`]);
    expect(asked?.lastUserText).toContain("16 × 9 pixels");
  });

  test("a long picture in pieces, and notes how many", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const chat = asFile(createCanvas(400, 4_000).toBuffer("image/png"), "chat.png", "image/png");
    const { sessionId } = await startProcessing(api, chat, { prompt: marker });
    const record = await api.waitUntilDone<{ context: { files: object[] } }>(`/process/${sessionId}`);
    const facts = { kind: "image", width: 400, height: 4_000, pieces: 5 };
    expect(record).toMatchObject({ status: "completed", context: { files: [{ name: "chat.png", ...facts }] } });
    const [asked] = await modelRequestsWith(marker);
    expect(picturesIn(asked).map((url) => url.slice(0, 23))).toEqual(Array(5).fill(JPEG));
  });

  test("slides that are pictures", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const pptx = picturedOffice("pptx", [samplePng(120, 90), samplePng(121, 90)]);
    const { sessionId } = await startProcessing(api, asFile(pptx, "deck.pptx", "application/octet-stream"), {
      prompt: marker,
    });
    const record = await api.waitUntilDone<{ context: { files: object[] } }>(`/process/${sessionId}`);
    const facts = { kind: "pptx", slides: 2, pictures: 2 };
    expect(record).toMatchObject({ status: "completed", context: { files: [{ name: "deck.pptx", ...facts }] } });
    const [asked] = await modelRequestsWith(marker);
    expect(picturesIn(asked)).toHaveLength(2);
    expect(asked?.lastUserText).toMatch(/deck\.pptx, slide 1[\s\S]*deck\.pptx, slide 2/);
  });

  for (const [kind, bytes, name, type] of [
    ["HEIC", sampleHeic(), "IMG_0042.HEIC", "image/heic"],
    ["AVIF", sampleAvif(), "photo.avif", "image/avif"],
    ["BMP", sampleBmp(), "scan.bmp", "image/bmp"],
  ] as const) {
    test(`a picture of a kind that it does not take as a JPEG, and keeps what was sent: ${kind}`, async () => {
      const { api } = await newCaller();
      const marker = randomUUID();
      const { sessionId } = await startProcessing(api, asFile(bytes, name, type), { prompt: marker });
      const record = await api.waitUntilDone<{ fileSize: number; fileUrl: string }>(`/process/${sessionId}`);
      expect(record).toMatchObject({ status: "completed", fileName: name, fileSize: bytes.byteLength });
      const [asked] = await modelRequestsWith(marker);
      expect(picturesIn(asked).map((url) => url.slice(0, JPEG.length))).toEqual([JPEG]);
      expect(asked?.lastUserText).toContain("64 × 32 pixels");
      const kept = await fetch(record.fileUrl);
      expect(Buffer.compare(Buffer.from(await kept.arrayBuffer()), bytes)).toBe(0);
    });
  }

  test("the pages of a fax in one TIFF, but for empty ones, and notes which", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const tiff = sampleTiff([faxPage(), whitePage(), faxPage()], { bytesBefore: 300_000 });
    const { sessionId } = await startProcessing(api, asFile(tiff, "fax.tif", ""), { prompt: marker });
    const record = await api.waitUntilDone<{ context: { files: object[] } }>(`/process/${sessionId}`);
    expect(record).toMatchObject({ status: "completed", contentType: "image/tiff" });
    const [asked] = await modelRequestsWith(marker);
    expect(picturesIn(asked).map((url) => url.slice(0, JPEG.length))).toEqual([JPEG, JPEG]);
    const facts = { kind: "tiff", pages: 3, picturePages: 2, picturePageNumbers: "1, 3" };
    expect(record.context.files).toMatchObject([{ name: "fax.tif", ...facts }]);
  });
});

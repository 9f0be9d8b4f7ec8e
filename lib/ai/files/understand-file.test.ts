import { Readable } from "node:stream";
import { CFB } from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import { compoundFile } from "@/lib/ai/files/samples/sample-compound";
import { refusalOf as failure, understandSample as understand } from "@/lib/ai/files/samples/sample-understand";
import { buildZip, zipEntries } from "@/lib/ai/files/samples/sample-zip";

function oldPresentation(): Buffer {
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_add(container, "/PP40", Buffer.alloc(5_000));
  return Buffer.from(CFB.write(container, { type: "buffer" }));
}

describe("any other file", () => {
  it.each([
    [buildZip(zipEntries({ "a.txt": "hello" })), "contract.docx", /a ZIP archive/],
    [compoundFile(""), "contract.docx", /damaged/],
    [oldPresentation(), "talk.ppt", /a presentation of PowerPoint 95 or older, .* Save it as PPTX or PDF\.$/],
    [Buffer.concat([Buffer.from("%!PS-Adobe-3.0\n"), Buffer.alloc(50, 32)]), "a.txt", /PostScript/],
    [
      Buffer.concat([Buffer.alloc(60), Buffer.from("BOOKMOBI"), Buffer.alloc(60)]),
      "book.mobi",
      /^The file is an e-book \(MOBI\), .* Save it as EPUB or PDF\.$/,
    ],
    [
      Buffer.from("8BPS\0\x01\0\0\0\0\0\0\0\x03", "latin1"),
      "a.psd",
      /^The file is an image \(adobe\.photoshop\), which cannot be read yet\. Send it as JPEG or PNG\.$/,
    ],
    [Buffer.alloc(300), "secret<b>.bin", /unknown kind/],
  ])("is refused with what it is", async (bytes, name, message) => {
    const error = await failure(understand(bytes, { name }));
    expect(error).toMatchObject({
      code: "UNSUPPORTED_FILE",
      isRetryable: false,
      message: expect.stringMatching(message),
    });
    expect(error.message).not.toContain("secret");
  });
});

describe("a source that fails", () => {
  it("fails with its own error, so that the step is tried again", async () => {
    const reason = new Error("the store is away");
    const opening = understand("x", { bytesSource: () => Promise.reject(reason) });
    expect(await failure(opening)).toBe(reason);
    const reading = understand("x", {
      bytesSource: async () =>
        Readable.from(
          (async function* () {
            yield Buffer.from("some text");
            throw reason;
          })(),
        ),
    });
    expect(await failure(reading)).toBe(reason);
  });
});

import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readPdf } from "@/lib/ai/files/read-pdf";
import { buildPdf, textPdf } from "@/lib/ai/files/sample-pdf";
import { TurnError } from "@/lib/domain/turn-errors";

const LIMITS = { maxCharacters: 100_000 };

describe("readPdf", () => {
  it("reads the text of each page", async () => {
    expect(await readPdf(textPdf(["Hello PDF world", "Second page"]), LIMITS)).toEqual({
      pageCount: 2,
      pages: ["Hello PDF world", "Second page"],
    });
  });

  it("keeps lines apart", async () => {
    const { pages } = await readPdf(textPdf(["First line\nSecond line"]), LIMITS);
    expect(pages).toEqual(["First line\nSecond line"]);
  });

  it("gives empty pages as such", async () => {
    expect(await readPdf(textPdf([""]), LIMITS)).toEqual({ pageCount: 1, pages: [""] });
  });

  it("stops at the limit of characters", async () => {
    const { pageCount, pages } = await readPdf(textPdf(["Hello PDF world", "Second", "Third"]), { maxCharacters: 18 });
    expect(pageCount).toBe(3);
    expect(pages).toEqual(["Hello PDF world", "Sec"]);
  });

  it("reads several at once", async () => {
    const texts = Array.from({ length: 6 }, (_, index) => `Document ${index}`);
    const results = await Promise.all(texts.map((text) => readPdf(textPdf([text]), LIMITS)));
    expect(results.map((result) => result.pages[0])).toEqual(texts);
  });
});

/** Documents that are wrong on purpose; each must end soon, as text or as FILE_UNREADABLE. */
const HOSTILE: [name: string, make: () => Uint8Array][] = [
  ["only a header", () => Buffer.from("%PDF-1.7\n")],
  ["garbage after the header", () => Buffer.concat([Buffer.from("%PDF-1.7\n"), noise(200_000)])],
  ["cut off in the middle", () => textPdf(["Hello"]).subarray(0, 250)],
  [
    "a page tree that contains itself",
    () => buildPdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 1 >>"]),
  ],
  [
    "a page count of a billion",
    () => buildPdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 1000000000 >>"]),
  ],
  [
    "arrays nested a million deep",
    () =>
      buildPdf([
        `<< /Type /Catalog /Pages 2 0 R /X ${"[".repeat(1_000_000)} >>`,
        "<< /Type /Pages /Kids [] /Count 0 >>",
      ]),
  ],
  ["operands nested deep in a page", () => pageWith("[".repeat(2_000_000))],
  ["dictionaries nested deep in a page", () => pageWith("<< /A ".repeat(500_000))],
  ["a form that draws itself", selfDrawingForm],
  ["a stream that grows a thousandfold", () => pageWithFlate(Buffer.alloc(150 * 1024 * 1024, " "), "/FlateDecode")],
  [
    "a stream that grows a millionfold",
    () => pageWithFlate(deflateSync(Buffer.alloc(150 * 1024 * 1024, "(")), "[/FlateDecode /FlateDecode]"),
  ],
];

describe("a hostile PDF", () => {
  it.each(HOSTILE)("is refused or read within bounded time: %s", async (_name, make) => {
    const bytes = make();
    const startedAt = performance.now();
    const outcome = await readPdf(bytes, { ...LIMITS, deadlineMs: 4_000 }).catch((error: unknown) => error);
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    if (outcome instanceof Error)
      expect(outcome).toMatchObject({ name: "TurnError", code: "FILE_UNREADABLE", isRetryable: false });
  });

  it("that is encrypted is refused with what to do", async () => {
    const error = await readPdf(encryptedPdf(), LIMITS).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TurnError);
    expect(error).toMatchObject({ code: "FILE_UNREADABLE", message: expect.stringMatching(/password/) });
  });

  it("leaves the server free to work meanwhile", async () => {
    const bytes = pageWithFlate(Buffer.alloc(100 * 1024 * 1024, " "), "/FlateDecode");
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    const startedAt = performance.now();
    await readPdf(bytes, { ...LIMITS, deadlineMs: 1_000 }).catch(() => {});
    const elapsedMs = performance.now() - startedAt;
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(elapsedMs / 40);
  });

  it("is ended at its deadline", async () => {
    const startedAt = performance.now();
    await expect(readPdf(textPdf(["Hello"]), { ...LIMITS, deadlineMs: 1 })).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
    });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it("is ended when it takes too much memory", async () => {
    const bytes = pageWithFlate(Buffer.alloc(150 * 1024 * 1024, " "), "/FlateDecode");
    const limits = { ...LIMITS, maxMemoryBytes: 48 * 1024 * 1024, deadlineMs: 15_000 };
    const error = (await readPdf(bytes, limits).catch((reason: unknown) => reason)) as TurnError;
    expect(error).toMatchObject({
      code: "FILE_UNREADABLE",
      cause: expect.objectContaining({ message: "too much memory" }),
    });
  });
});

function noise(length: number): Buffer {
  let state = 42;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return state >> 16;
    }),
  );
}

const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGES = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>";
const PAGE =
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << /XObject << /F 4 0 R >> >> >>";

function pageWith(content: string): Uint8Array {
  return buildPdf([CATALOG, PAGES, PAGE, { dictionary: "", data: Buffer.from(content) }]);
}

function pageWithFlate(content: Buffer, filter: string): Uint8Array {
  return buildPdf([CATALOG, PAGES, PAGE, { dictionary: `/Filter ${filter}`, data: deflateSync(content) }]);
}

function selfDrawingForm(): Uint8Array {
  const dictionary = "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 4 0 R >> >>";
  return buildPdf([CATALOG, PAGES, PAGE, { dictionary, data: Buffer.from("/F Do /F Do /F Do") }]);
}

function encryptedPdf(): Uint8Array {
  const secret = "41".repeat(32);
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /P -44 /O <${secret}> /U <${secret}> >>`;
  return buildPdf(
    [CATALOG, PAGES, PAGE, { dictionary: "", data: Buffer.from("BT ET") }, encrypt],
    `/Encrypt 5 0 R /ID [<${secret}> <${secret}>]`,
  );
}

import { describe, expect, it } from "vitest";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { HOSTILE_DOCUMENTS } from "@/lib/ai/files/samples/sample-hostile-office";
import { docxEntries, sampleDocx, sampleXlsx, wordParagraph } from "@/lib/ai/files/samples/sample-office";
import { sampleOdp } from "@/lib/ai/files/samples/sample-open-document";
import { buildZip } from "@/lib/ai/files/samples/sample-zip";

const LIMITS = { maxCharacters: 100_000 };
const MEGABYTE = 1024 * 1024;

const textOf = ({ sections }: OfficeText) => sections.map(({ text }) => text).join("\n");

describe("a hostile document", () => {
  it.each(HOSTILE_DOCUMENTS)("is refused: %s", async (_name, make, message) => {
    await expect(readOffice(make(), { ...LIMITS, deadlineMs: 10_000 })).rejects.toMatchObject({
      name: "TurnError",
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(message),
      isRetryable: false,
    });
  });

  it("whose rows reach to the last column is cut at the limit", async () => {
    const rows = Array.from({ length: 2_000 }, (_, row) => `<row><c r="XFD${row + 1}"><v>1</v></c></row>`).join("");
    const document = await readOffice(sampleXlsx({ Wide: rows }), LIMITS);
    expect(document.isCut).toBe(true);
    expect(textOf(document).length).toBeLessThanOrEqual(LIMITS.maxCharacters);
  });

  it("of slides without end is cut, however empty they are", async () => {
    const document = await readOffice(sampleOdp("<drawing:page/>".repeat(100_000)), LIMITS);
    expect(document).toMatchObject({ kind: "odp", isCut: true, sectionCount: 100_000 });
    expect(document.sections).toHaveLength(10_000);
  });

  it.each([
    [
      "a formula of very many letters",
      () => {
        const runs = "<m:r><m:t>x</m:t></m:r>".repeat(60_000);
        return buildZip(docxEntries(`<w:p xmlns:m="m"><m:oMath>${runs}</m:oMath></w:p>`));
      },
      /^x{60000}$/,
    ],
    [
      "tables in tables, each with the text of all in it",
      () => {
        const depth = 300;
        const bars = wordParagraph("| ".repeat(50_000));
        return buildZip(
          docxEntries("<w:tbl><w:tr><w:tc>".repeat(depth) + bars + "</w:tc></w:tr></w:tbl>".repeat(depth)),
        );
      },
      /^\| (\\\| ?){33000,}$/,
    ],
  ])("takes no longer than any other: %s", async (_what, make, text) => {
    expect(textOf(await readOffice(make(), LIMITS))).toMatch(text);
  });

  it("that ends its reader takes nobody along", async () => {
    const text = "<w:p>".repeat(900) + wordParagraph("x ".repeat(40 * MEGABYTE)) + "</w:p>".repeat(900);
    const error = await readOffice(sampleDocx(), { ...LIMITS, maxMemoryBytes: 1 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE" });
    const outcome = await readOffice(buildZip(docxEntries(text)), LIMITS).catch((reason: unknown) => reason);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: "UNSUPPORTED_FILE" });
    expect(textOf(await readOffice(sampleDocx("Still here"), LIMITS))).toBe("Still here");
  });

  it("is ended when it takes too much memory", async () => {
    let state = 1;
    const words = Array.from({ length: 3_000_000 }, () => {
      state = (state * 1103515245 + 12345) & 0x7fffffff;
      return state.toString(36);
    });
    const strings = words.map((word) => `<t>${word}</t>`);
    const error = await readOffice(sampleXlsx({ A: "" }, strings), {
      ...LIMITS,
      maxMemoryBytes: 64 * MEGABYTE,
    }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "UNSUPPORTED_FILE", message: expect.stringMatching(/too complex/) });
  });

  it("is ended at its deadline", async () => {
    await expect(readOffice(sampleDocx("Hello"), { ...LIMITS, deadlineMs: 1 })).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
    });
  });
});

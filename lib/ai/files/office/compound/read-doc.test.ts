import { describe, expect, it } from "vitest";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { type DocParagraph, type SampleDoc, type Sprm, sampleDoc } from "@/lib/ai/files/samples/sample-doc";

const LIMITS = { maxCharacters: 100_000 };

const IN_TABLE: Sprm = [0x2416, 1];
const ROW_END: Sprm = [0x2417, 1];
const IN_LIST: Sprm = [0x460b, 1, 0];
const DELETED: Sprm = [0x0800, 1];
const WIDE: Sprm = [0x8840, 15, 0];
const STRUCK: Sprm = [0x0837, 1];
const RAISED: Sprm = [0x2a48, 1];

const plain = (...runs: DocParagraph["runs"]): DocParagraph => ({ runs });

async function read(document: SampleDoc) {
  const { kind, sections, skipped } = await readOffice(sampleDoc(document), LIMITS);
  return { kind, skipped, text: sections.map(({ text }) => text).join("\n") };
}

describe("a document of Word 97", () => {
  it("is read by its structure: headings, lists with their numbers, tables", async () => {
    const cell = (text: string): DocParagraph => ({ runs: [text], end: "\x07", sprms: [IN_TABLE] });
    const rowEnd: DocParagraph = { runs: [], end: "\x07", sprms: [IN_TABLE, ROW_END] };
    const { kind, text } = await read({
      body: [
        { runs: ["Lease"], style: 1 },
        plain("Between A and B – “both”"),
        { runs: ["Rent"], sprms: [IN_LIST] },
        { runs: ["Term"], sprms: [IN_LIST] },
        ...[cell("Month"), cell("€"), rowEnd, { runs: ["one"], sprms: [IN_TABLE] }, cell("two"), cell(""), rowEnd],
        plain("End"),
      ],
      list: { format: 4, text: "\0)" },
    });
    expect(kind).toBe("doc");
    expect(text).toBe(
      [
        "# Lease",
        "Between A and B – “both”",
        "a) Rent\nb) Term",
        "| Month | € |\n| --- | --- |\n| one two |  |",
        "End",
      ].join("\n\n"),
    );
  });

  it("has the numbers and headings that its styles say", async () => {
    const numbered = (text: string): DocParagraph => ({ runs: [text], style: 2 });
    const { text } = await read({
      body: [numbered("Scope"), numbered("Price")],
      list: { format: 1, text: "§ \0", start: 3 },
    });
    expect(text).toBe("# § III Scope\n\n# § IV Price");
  });

  it("has notes and comments where they stand, and says who wrote them", async () => {
    const { text } = await read({
      body: [plain("First\x02 and second\x02, or so\x05.")],
      footnotes: [plain("\x02 One"), plain("\x02 Two")],
      comments: [plain("\x05Sure?")],
      commentAuthor: "Ada",
    });
    expect(text).toBe(
      [
        "First[^1] and second[^2], or so[^c1].",
        "## [Footnotes]",
        "[^1]: One",
        "[^2]: Two",
        "## [Comments]",
        "[^c1]: Ada: Sure?",
      ].join("\n\n"),
    );
  });

  it("is without what was taken out of it, and marks what was struck out or is hidden", async () => {
    const { text } = await read({
      body: [
        plain("Pay ", { text: "10", sprms: [DELETED] }, "20 ", { text: "m2", sprms: [STRUCK] }, " to all"),
        plain("Seen ", { text: "not at all", sprms: [[0x083c, 1]] }),
        plain({ text: "A wide title", sprms: [WIDE] }, " 10", { text: "6", sprms: [RAISED] }),
      ],
    });
    expect(text).toBe("Pay 20 ~~m2~~ to all\n\nSeen [Not shown: not at all]\n\nA wide title 10⁶");
  });

  it("shows what its fields say, not how they are made, and counts its pictures", async () => {
    const { text, skipped } = await read({
      body: [plain('See \x13 HYPERLINK "https://a.example" \x14our page\x15\x0bor\x1eso.'), plain("\x01")],
    });
    expect(text).toBe("See our page\nor-so.");
    expect(skipped).toEqual({ pictures: 1 });
  });

  it("is read in letters of one byte too", async () => {
    expect(await read({ body: [plain("Größe: 5 £")], isLatin: true })).toMatchObject({ text: "Größe: 5 £" });
  });

  it.each([
    ["has a password", { isLocked: true }, /protected by a password/],
    ["is older", { version: 0xa5dc }, /Word 95/],
  ])("says so when it %s", async (_what, more, message) => {
    const document = sampleDoc({ body: [plain("Hi")], ...more });
    await expect(readOffice(document, LIMITS)).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(message),
    });
  });

  it("that is cut off anywhere is refused or read as far as it goes, never left hanging", async () => {
    const whole = sampleDoc({ body: [plain("word ".repeat(500))], list: { format: 0, text: "\0." } });
    for (let length = 600; length < whole.length; length += 3_500) {
      const outcome = await readOffice(whole.subarray(0, length), LIMITS).catch((error: { code?: string }) => error);
      if ("sections" in outcome) expect(outcome.sections[0]?.text ?? "").toMatch(/^(word ?)*w?o?r?d?$/);
      else expect(outcome.code).toBe("UNSUPPORTED_FILE");
    }
  });
});

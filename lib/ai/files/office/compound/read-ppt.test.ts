import { CFB } from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import { readOffice } from "@/lib/ai/files/office/read-office";
import { type PptSlide, type SamplePpt, samplePpt } from "@/lib/ai/files/samples/sample-ppt";

const [TITLE, BODY, OTHER] = [0, 1, 4];

async function read(document: SamplePpt, maxCharacters = 100_000) {
  const { kind, sections, sectionCount, skipped } = await readOffice(samplePpt(document), { maxCharacters });
  return { kind, sectionCount, skipped, slides: sections.map(({ text }) => text) };
}

const slide = (text: string): PptSlide => ({ texts: [{ kind: OTHER, text }] });

describe("a presentation of PowerPoint 97", () => {
  it("is read slide by slide: titles, bodies with how deep they stand, boxes, tables, notes, comments", async () => {
    const body = "First\rdeeper\rnot in it\rline\vbreak";
    const looks = [
      { letters: 6, level: 0 },
      { letters: 7, level: 1, isBulleted: true },
      { letters: 10, level: 0, isBulleted: false },
      { letters: 11, level: 0 },
    ];
    const { kind, sectionCount, slides, skipped } = await read({
      slides: [
        {
          texts: [
            { kind: TITLE, text: "Prices – 2003", isListed: true },
            { kind: BODY, text: body, looks, isListed: true },
            { kind: OTHER, text: "In a box: größe" },
          ],
          table: [
            ["Item", "€"],
            ["Tea", "3"],
          ],
          pictures: 2,
          embedded: 1,
          notes: "Say it slowly.\rThen wait.",
          comment: { author: "Ada", text: "Is it so?" },
        },
        { ...slide("Second"), isHidden: true },
      ],
    });
    expect({ kind, sectionCount }).toEqual({ kind: "ppt", sectionCount: 2 });
    expect(skipped).toMatchObject({ pictures: 2, embeddedFiles: 1 });
    expect(slides).toEqual([
      [
        "# Prices – 2003",
        "- First\n  - deeper",
        "not in it",
        "- line break",
        "In a box: größe",
        "| Item | € |\n| --- | --- |\n| Tea | 3 |",
        "[Notes]\nSay it slowly.\nThen wait.",
        "[Comments]\nAda: Is it so?",
      ].join("\n\n"),
      "[Hidden slide]\n\nSecond",
    ]);
  });

  it("is without what stands on every slide: dates, feet, and the slide's number in a text", async () => {
    const { slides } = await read({
      slides: [
        {
          texts: [
            { kind: OTHER, text: "Confidential", placeholder: 9 },
            { kind: OTHER, text: "6 August 2008", laterPlaceholder: 7 },
            { kind: OTHER, text: "5 * 3, slide *", numbersAt: [13] },
          ],
        },
      ],
    });
    expect(slides).toEqual(["5 * 3, slide"]);
  });

  it("is what its last save says, also where it is told wrongly where that begins", async () => {
    const saved = { slides: [{ ...slide("now"), before: slide("before") }, slide("other")] };
    for (const editAt of [undefined, 3, 4_000_000_000]) {
      expect((await read({ ...saved, editAt })).slides).toEqual(["now", "other"]);
    }
  });

  it("has the texts of the document's list that no shape names behind those of its shapes", async () => {
    const listed = { kind: TITLE, isListed: true };
    const texts = [
      { ...listed, text: "Named" },
      { ...listed, text: "Not named", isNamed: false },
    ];
    const { slides } = await read({ slides: [{ texts: [...texts, { kind: OTHER, text: "In a box" }] }] });
    expect(slides).toEqual(["# Named\n\nIn a box\n\n# Not named"]);
  });

  it("is found where PowerPoint 95 has its own beside it", async () => {
    expect((await read({ slides: [slide("of 97")], isForBoth: true })).slides).toEqual(["of 97"]);
  });

  it("is read up to the limit, and its slides are counted all the same", async () => {
    const { slides, sectionCount } = await read({ slides: [slide("a".repeat(50)), slide("b"), slide("c")] }, 20);
    expect({ slides, sectionCount }).toEqual({ slides: [expect.stringMatching(/^a{10,20}$/)], sectionCount: 3 });
  });

  it("is read where letters are half, at odd places too: as they are, Node writes beyond its memory", async () => {
    const texts = Array.from({ length: 400 }, (_, index) => [
      { kind: OTHER, text: "odd" },
      { kind: OTHER, text: "x".repeat(3 + index * 10), isHalf: true },
    ]).flat();
    const { slides } = await read({ slides: [{ texts }] }, 10_000_000);
    expect(slides[0]?.split("\n\n").map(({ length }) => length)).toEqual(
      texts.map(({ text, isHalf }) => text.length - (isHalf ? 1 : 0)),
    );
  });

  it("that is locked is refused, and why is said", async () => {
    await expect(read({ slides: [slide("x")], isLocked: true })).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/password/),
    });
  });

  it("whose document is missing is refused as damaged", async () => {
    await expect(readOffice(emptyPpt(), { maxCharacters: 100 })).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/damaged/),
    });
  });
});

function emptyPpt(): Uint8Array {
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_add(container, "/PowerPoint Document", Buffer.alloc(5_000));
  return Buffer.from(CFB.write(container, { type: "buffer" }));
}

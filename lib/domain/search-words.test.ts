import { describe, expect, it } from "vitest";
import { otherSpellings, unmetStems } from "@/lib/domain/search-words";

describe("unmetStems", () => {
  it.each([
    ["what stands at the end of a word alone", "Welche Gebühren?", ["Die Mahngebühr, und welche."], ["gebühr"]],
    ["nothing that is a word", "Welche Gebühr?", ["Welche Gebühr", "Mahngebühr"], []],
    ["nothing that begins a word, of whichever text", "Gebühr für Hosen", ["x", "(gebührenfrei) „Hosenträger“"], []],
    ["no short words and no figures", "Was ist der X200 in 2026?", [], []],
    ["words of other alphabets", "Доставка αποστολή", ["Автодоставка"], ["достав", "αποστο"]],
    ["each once", "Hose, Hose und HOSE", ["Arbeitshose"], ["hose"]],
  ])("gives %s", (_, question, texts, stems) => {
    expect(unmetStems(question, texts)).toEqual(stems);
  });

  it("gives a few of a long question, from both its ends", () => {
    const noise = Array.from(
      { length: 1_000 },
      (_, index) => `wort${String.fromCharCode(97 + (index % 26)).repeat(9)}`,
    );
    const stems = unmetStems(`Hammer ${noise.join(" ")} Zange`, ["wort"]);
    expect(stems).toEqual(expect.arrayContaining(["hamm"]));
    expect(stems.length).toBeLessThanOrEqual(12);
  });
});

describe("otherSpellings", () => {
  it.each([
    ["Kuendigung", ["kündigung"]],
    ["Groessen der Strassen", ["grössen", "größen", "straßen"]],
    ["Größe u\u0308ber Öl", ["groesse", "ueber", "oel"]],
    ["", []],
    ["How much is it?", []],
  ])("of %j are %j", (question, spellings) => {
    expect(otherSpellings(question)).toEqual(spellings);
  });

  // Work that grows with the square of the length would outlast the test's own time many times over.
  it.each(["x", "ae", "ä", "x "])("comes to the end of a question of half a million times %j", (part) => {
    expect(otherSpellings(part.repeat(500_000)).length).toBeLessThanOrEqual(2);
  });
});

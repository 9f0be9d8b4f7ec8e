import { describe, expect, it } from "vitest";
import { type CsvCell, csvDocument, csvLine } from "@/lib/domain/csv";

describe("csvLine", () => {
  it.each<[string, CsvCell[], string]>([
    ["plain cells", ["a", 1, true, null, ""], "a,1,true,,"],
    ["commas, quotes and line ends", ["a,b", 'say "x"', "two\r\nlines"], '"a,b","say ""x""","two\r\nlines"'],
    ["spaces at the ends", [" a", "b "], '" a","b "'],
    ["formulas", ["=1+1", "+1", "-1", "@x"], "'=1+1,'+1,'-1,'@x"],
    ["formulas in wide signs", ["＝1+1", "＋1", "－1", "＠x", "a;＝1"], "'＝1+1,'＋1,'－1,'＠x,a;'＝1"],
    ["what hides a formula", ["\t=1", "\r=1", "\n=1"], `"'\t=1","'\r'=1","'\n'=1"`],
    ["a formula with a comma", ['=HYPERLINK("x","y")'], '"\'=HYPERLINK(""x"",""y"")"'],
    [
      "formulas where semicolons part cells",
      ["a;=1", 'b; "=1', "X11; Linux", "a;-b"],
      `a;'=1,"b; ""'=1",X11; Linux,a;'-b`,
    ],
    ["a formula on a later line", ["a\n@x"], `"a\n'@x"`],
    ["numbers below zero", [-5, 0.25], "-5,0.25"],
    ["other scripts", ["äß", "日本"], "äß,日本"],
  ])("writes %s", (_what, cells, line) => expect(csvLine(cells)).toBe(`${line}\r\n`));
});

describe("csvDocument", () => {
  async function* batches() {
    yield [["a"], ["b"]];
    yield [];
    yield [["c"]];
  }

  it("gives the header, then a piece for each batch, with or without rows", async () => {
    const pieces: string[] = [];
    for await (const piece of csvDocument(["x"], batches())) pieces.push(piece);
    expect(pieces).toEqual(["x\r\n", "a\r\nb\r\n", "", "c\r\n"]);
  });

  it("asks for no batch before its reader wants it, and ends the source when the reader leaves", async () => {
    const asked: string[] = [];
    async function* source() {
      try {
        for (const name of ["first", "second"]) {
          asked.push(name);
          yield [[name]];
        }
      } finally {
        asked.push("ended");
      }
    }
    for await (const piece of csvDocument(["x"], source())) {
      if (piece === "x\r\n") expect(asked).toEqual([]);
      if (piece === "first\r\n") break;
    }
    expect(asked).toEqual(["first", "ended"]);
  });
});

import { describe, expect, it } from "vitest";
import { type DiffHunk, differInLastBreak, diffLines, shownPart } from "@/components/ui/diff-lines";
import { workMs } from "@/e2e/support/work-time";

/** A hunk as people write one: sign, numbers, text with its changed words in brackets. */
function written(hunks: DiffHunk[]): string[][] {
  const signs = { same: " ", added: "+", removed: "-" };
  return hunks.map((lines) =>
    lines.map(({ kind, before, after, pieces }) => {
      const text = pieces.map((piece) => (piece.isChanged ? `[${piece.text}]` : piece.text)).join("");
      return `${signs[kind]}${before ?? "."}:${after ?? "."} ${text}`;
    }),
  );
}

describe("diffLines", () => {
  it("has nothing to say of equal texts", () => {
    expect(diffLines("a\nb\n", "a\nb\n")).toEqual([]);
  });

  it("marks the words in which a changed line differs", () => {
    expect(written(diffLines("Dear {{name}},\nthank you.\n", "Dear {{firstName}},\nthank you.\n"))).toEqual([
      ["-1:. Dear {{[name]}},", "+.:1 Dear {{[firstName]}},", " 2:2 thank you."],
    ]);
  });

  it("shows lines with nothing in common as two whole lines", () => {
    expect(written(diffLines("red\n", "blue\n"))).toEqual([["-1:. red", "+.:1 blue"]]);
  });

  it("takes no two lines for one that changed where more were taken out than put in", () => {
    const before = "Be brief, please.\nBe kind, please.\nBe exact, please.\nEnd.\n";
    expect(written(diffLines(before, "Be brief, always.\nEnd.\n"))).toEqual([
      [
        "-1:. Be brief, please.",
        "-2:. Be kind, please.",
        "-3:. Be exact, please.",
        "+.:1 Be brief, always.",
        " 4:2 End.",
      ],
    ]);
  });

  it("shows each line once, and a few around, of a text that is another from end to end", () => {
    const many = (word: string) => Array.from({ length: 1_600 }, (_, index) => `${word} ${index}`);
    const around = Array.from({ length: 20 }, (_, index) => `as ever ${index}`);
    const textOf = (lines: string[]) => lines.join("\n");
    const kinds = (before: string[], after: string[]) => {
      const lines = diffLines(textOf(before), textOf(after)).flat();
      return Object.fromEntries(
        ["removed", "added", "same"].map((kind) => [kind, lines.filter((line) => line.kind === kind).length]),
      );
    };
    expect(kinds([...many("old"), ...around], [...many("new"), ...around])).toEqual({
      removed: 1_600,
      added: 1_600,
      same: 3,
    });
    // The one line that is left is both the first and the last of those before.
    expect(kinds(["x", ...many("old"), "x"], ["x"])).toEqual({ removed: 1_601, added: 0, same: 1 });
  });

  it("keeps far apart changes apart, each with its numbers", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const changed = lines.with(1, "second").with(27, "late");
    const hunks = written(diffLines(lines.join("\n"), changed.join("\n")));
    expect(hunks).toHaveLength(2);
    expect(hunks[0]?.[1]).toBe("-2:. line 2");
    expect(hunks[1]).toContain("+.:28 late");
  });

  it("leaves the last line as it was when another is put after it, with or without a line break at the end", () => {
    expect(written(diffLines("a\nb", "a\nb\nc"))).toEqual([[" 1:1 a", " 2:2 b", "+.:3 c"]]);
    expect(written(diffLines("a\nb", "a\nb\nc\n"))).toEqual([[" 1:1 a", " 2:2 b", "+.:3 c"]]);
    expect(written(diffLines("a\nb\nc", "a\nb\n"))).toEqual([[" 1:1 a", " 2:2 b", "-3:. c"]]);
  });

  it("finds no changed line where a line break at the end is all that differs, and tells of it", () => {
    expect(diffLines("a", "a\n")).toEqual([]);
    expect(differInLastBreak("a", "a\n")).toBe(true);
    expect(differInLastBreak("a\n", "a")).toBe(true);
    expect(differInLastBreak("a", "a")).toBe(false);
    expect(differInLastBreak("a", "b\n")).toBe(false);
    expect(differInLastBreak("a\n", "a\n\n")).toBe(false);
  });

  it("shows an empty text as no line", () => {
    expect(written(diffLines("", "a"))).toEqual([["+.:1 a"]]);
    expect(written(diffLines("a", ""))).toEqual([["-1:. a"]]);
  });

  it("marks words up to an amount that a page can wait for, and shows all lines", async () => {
    const textOf = (words: string) => Array.from({ length: 500 }, (_, line) => `${words.repeat(70)}${line}`).join("\n");
    const hostile = () => diffLines(textOf("a b c d e f "), textOf("c b a f d x "));
    // Word by word to their ends, such lines took half a minute.
    expect(await workMs(() => expect(hostile().flat()).toHaveLength(1_000))).toBeLessThan(3_000);
    const before = Array.from({ length: 700 }, (_, line) => `${"the same words ".repeat(20)}${line} old`);
    const after = before.map((line) => line.replace("old", "new"));
    const lines = diffLines(before.join("\n"), after.join("\n")).flat();
    const marked = lines.filter(({ pieces }) => pieces.some(({ isChanged }) => isChanged));
    expect(lines).toHaveLength(1_400);
    expect(lines[0]?.pieces.some(({ isChanged }) => isChanged)).toBe(true);
    expect(marked.length).toBeLessThan(400);
  });

  it("shows texts that differ everywhere whole, instead of comparing without end", () => {
    const before = Array.from({ length: 6_000 }, (_, index) => `old ${index}`).join("\n");
    const after = Array.from({ length: 6_000 }, (_, index) => `new ${index}`).join("\n");
    expect(diffLines(before, after).flat()).toHaveLength(12_000);
  });

  it("shows of texts that differ in too many lines no line that is in neither, and few of those at both ends", () => {
    const many = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index}\n`).join("");
    expect(diffLines("", many("new")).flat()).toHaveLength(3_000);
    const lines = written(diffLines(`a\nb\nc\nd\n${many("old")}e\n`, `a\nb\nc\nd\n${many("new")}e\n`)).flat();
    expect(lines.slice(0, 4)).toEqual([" 2:2 b", " 3:3 c", " 4:4 d", "-5:. [old] 0"]);
    expect(lines.at(-2)).toBe("+.:3004 [new] 2999");
    expect(lines.at(-1)).toBe(" 3005:3005 e");
  });

  it("leaves out of a page what it cannot hold, and says how much", () => {
    const { shown, left } = shownPart(diffLines("a\n".repeat(6_000), "b\n".repeat(100_000)));
    expect(shown.flat()).toHaveLength(5_000);
    expect(left).toBe(101_000);
    const all = diffLines("a\nb\n", "a\nc\n");
    expect(shownPart(all)).toEqual({ shown: all, left: 0 });
  });
});

import { describe, expect, it } from "vitest";
import { knowledgeBudgetTokens, splitSections, takeWhatFits } from "@/lib/domain/knowledge-budget";
import { estimateTokens } from "@/lib/domain/token-estimate";

describe("knowledgeBudgetTokens", () => {
  it.each([
    [20_000, 1_000, 6_000],
    [800_000, 1_000, 60_000],
    [20_000, 18_000, 2_000],
    [20_000, 25_000, 0],
  ])("of %i readable tokens with %i taken is %i", (input, taken, budget) => {
    expect(knowledgeBudgetTokens(input, taken)).toBe(budget);
  });
});

describe("splitSections", () => {
  it("cuts at headings and names those above", () => {
    const markdown = "Intro\n\n# Prices #\nAll in euro.\n## Enterprise\n10\r\n### Extra\n1\n## Small\n5\n# Other\nx";
    expect(splitSections(markdown)).toEqual([
      { heading: "", content: "Intro" },
      { heading: "Prices", content: "# Prices #\nAll in euro." },
      { heading: "Prices > Enterprise", content: "## Enterprise\n10" },
      { heading: "Prices > Enterprise > Extra", content: "### Extra\n1" },
      { heading: "Prices > Small", content: "## Small\n5" },
      { heading: "Other", content: "# Other\nx" },
    ]);
  });

  it("puts no heading under one of its own level, at whatever level the text begins", () => {
    const markdown = "### A\na\n### B\nb\n## C\nc\n#### D\nd\n### E\ne";
    expect(splitSections(markdown).map(({ heading }) => heading)).toEqual(["A", "B", "C", "C > D", "C > E"]);
  });

  it("takes no comment in a code block for a heading", () => {
    expect(splitSections("# A\n```sh\n# not one\n~~~\n# nor this\n```\n# B\ny").map(({ heading }) => heading)).toEqual([
      "A",
      "B",
    ]);
  });

  it.each(["\r\n", "\r"])("finds the headings of lines that end in %j", (end) => {
    const markdown = ["# A", "a", "```", "# no heading", "```", "## B", "b"].join(end);
    expect(splitSections(markdown).map(({ heading }) => heading)).toEqual(["A", "A > B"]);
  });

  it.each([
    ["code within a line", "```x = 1``` sets it"],
    ["a block that shows a block", "````md\n```js\n# no heading\n```\n````"],
    ["a block that names a language within", "```\n```js\n# no heading\n```"],
  ])("finds the headings behind %s", (_, code) => {
    expect(splitSections(`# A\n${code}\n# B\nb`).map(({ heading }) => heading)).toEqual(["A", "B"]);
  });

  it("cuts long sections between paragraphs and loses no word", () => {
    const paragraphs = Array.from({ length: 300 }, (_, index) => `Paragraph ${index} says a little about something.`);
    const sections = splitSections(`# Long\n\n${paragraphs.join("\n\n")}`);
    expect(sections.length).toBeGreaterThan(2);
    for (const { heading, content } of sections) {
      expect(heading).toBe("Long");
      expect(estimateTokens(content)).toBeLessThanOrEqual(1_000);
    }
    expect(sections.map(({ content }) => content).join("\n\n")).toBe(`# Long\n\n${paragraphs.join("\n\n")}`);
  });

  it("tells of each piece of a long table what its columns are", () => {
    const head = "| Article | Price | Weight |\n|---|--:|:-:|";
    const rows = Array.from({ length: 300 }, (_, index) => `| Drill ${index} | ${index},90 € | ${index} g |`);
    const pieces = splitSections(`# Prices\n\nIn euro.\n\n${head}\n${rows.join("\n")}\n\nA | B\n\n# End\n\n| x |`);
    const [first, ...others] = pieces.filter(({ heading }) => heading === "Prices").map(({ content }) => content);
    expect(first?.startsWith(`# Prices\n\nIn euro.\n\n${head}\n${rows[0]}\n`)).toBe(true);
    expect(others.length).toBeGreaterThan(2);
    expect(others.every((content) => content.startsWith(`${head}\n| Drill `))).toBe(true);
    expect(pieces.flatMap(({ content }) => content.split("\n").filter((line) => line.includes("Drill")))).toEqual(rows);
    for (const { content } of pieces) expect(estimateTokens(content)).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ["one line of a megabyte", "x".repeat(1_000_000)],
    ["nothing but headings", "# \n".repeat(100_000)],
    ["nothing but marks", "#".repeat(1_000_000)],
    ["a heading of blanks with a line separator behind them", `# ${" ".repeat(1_000_000)}\u2028x`],
    [
      "a table whose head is too long to be said again",
      `${"| a ".repeat(600)}|\n${"|---".repeat(600)}|\n${"| 1 ".repeat(60_000)}`,
    ],
    ["marks of a table without an end", `|a|\n${`${"|-: ".repeat(40)}\n`.repeat(5_000)}${"- ".repeat(300_000)}`],
    ["emoji without a gap", "😀".repeat(50_000)],
    ["deep headings with long names", `${"###### ".repeat(1)}${"a ".repeat(200_000)}\n`.repeat(2)],
  ])("takes %s in its stride", (_, text) => {
    for (const { heading, content } of splitSections(text)) {
      expect(content.isWellFormed() && content !== "" && heading.length <= 200).toBe(true);
    }
  });

  it("makes at most some thousand sections of a file of headings", () => {
    expect(splitSections("# a\n".repeat(200_000)).length).toBeLessThan(3_000);
  });

  it("finds nothing in blanks", () => {
    expect(splitSections(" \n\n\t\n")).toEqual([]);
  });
});

describe("takeWhatFits", () => {
  it("takes in order and passes over what is too long", () => {
    const candidates = [{ cost: 5 }, { cost: 7 }, { cost: 4 }, { cost: 1 }];
    expect(takeWhatFits(candidates, 10)).toEqual({ taken: [{ cost: 5 }, { cost: 4 }, { cost: 1 }], tokens: 10 });
  });
});

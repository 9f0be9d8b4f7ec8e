import { describe, expect, it } from "vitest";
import { describeCoverage } from "@/lib/domain/document-ranges";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { cutDocument } from "@/lib/services/turns/parts/cut-document";

const ROWS = Array.from({ length: 5_000 }, (_, index) => `${index + 1},Ship ${index + 1},${index * 3}`);

describe("cutDocument", () => {
  it("gives each part of a table its first line, and cuts between records", () => {
    const document = { name: "ships.csv", kind: "csv", text: ["number,name,tons", ...ROWS].join("\n") };
    const parts = cutDocument(document, 2_000);
    expect(parts.length).toBeGreaterThan(5);
    expect(parts[0]?.covers.heading).toBeUndefined();
    expect(parts[0]?.content).toMatch(/^number,name,tons\n1,Ship 1,/);
    for (const { covers, content, tokens } of parts.slice(1)) {
      expect(covers.heading).toBe("number,name,tons");
      expect(content).toMatch(/^\d+,Ship \d+,\d+\n/);
      expect(tokens).toBeLessThanOrEqual(2_000);
      expect(tokens).toBeGreaterThanOrEqual(estimateTokens(`${covers.heading}\n${content}`));
    }
    expect(parts.map(({ content }) => content).join("")).toBe(document.text);
    expect(describeCoverage(parts.flatMap(({ covers }) => covers.ranges))).toBe("lines 1-5,001 of 5,001");
  });

  it("passes on what the file's reader says of every part", () => {
    const parts = cutDocument(
      { name: "a.docx", kind: "docx", text: "word ".repeat(5_000), note: "not here: charts (2)" },
      500,
    );
    expect(parts.length).toBeGreaterThan(1);
    for (const { covers } of parts) expect(covers).toMatchObject({ kind: "docx", note: "not here: charts (2)" });
  });
});

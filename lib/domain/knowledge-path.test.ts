import { describe, expect, it } from "vitest";
import { memoryPathOf, parseKnowledgePath } from "@/lib/domain/knowledge-path";

const LONGEST_NAME = `${"a".repeat(97)}.md`;
const DEEPEST = `${"a/".repeat(7)}b.md`;
const LONGEST = `${"a".repeat(99)}/${"b".repeat(97)}.md`;

describe("parseKnowledgePath", () => {
  it("says of none that it is required", () => {
    expect(parseKnowledgePath("")).toEqual({ problem: "is required" });
  });

  it.each<[string, string]>([
    ["prices.md", "prices.md"],
    ["products/enterprise/prices 2026.md", "products/enterprise/prices 2026.md"],
    [".brain/api/db/faq.md", "faq.md"],
    ["Über uns/Größe.md", "Über uns/Größe.md"],
    ["U\u0308ber.md", "Über.md"],
    ["よくある質問.md", "よくある質問.md"],
    ["user/a.md", "user/a.md"],
    ...[LONGEST_NAME, DEEPEST, LONGEST].map((path): [string, string] => [path, path]),
  ])("takes %j as %j", (text, path) => {
    expect(parseKnowledgePath(text)).toEqual({ path });
  });

  it.each([
    "",
    ".md",
    "notes.txt",
    "notes.MD",
    "notes",
    "../secret.md",
    "a/../b.md",
    "a/..md",
    "a..b.md",
    "./a.md",
    "/etc/a.md",
    "a//b.md",
    "a/.md",
    ".hidden/a.md",
    "a\\b.md",
    "a\u0000.md",
    "a\nb.md",
    "a\u202Edm.md",
    "a\u200B.md",
    "a<b>.md",
    'a"b.md',
    " a.md",
    "a /b.md",
    "users/ada.md",
    "Users/ada.md",
    ".brain/api/db/users/ada.md",
    ".brain/api/db/.brain/api/db/a.md",
    `a${LONGEST_NAME}`,
    `a/${DEEPEST}`,
    LONGEST.replace("/", "a/"),
    `${"abcdefghij/".repeat(6)}${"a".repeat(90)}/${"b".repeat(90)}.md`,
  ])("refuses %j", (text) => {
    expect(parseKnowledgePath(text)).toEqual({ problem: expect.any(String) });
  });

  it("keeps the names of memory profiles out of the knowledge base", () => {
    expect(parseKnowledgePath(memoryPathOf("ada"))).toHaveProperty("problem");
  });
});

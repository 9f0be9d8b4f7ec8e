import { describe, expect, it } from "vitest";
import { withEnding } from "@/components/knowledge/knowledge-name";
import { parseKnowledgePath } from "@/lib/domain/knowledge-path";

describe("the name that is typed for a knowledge file", () => {
  it.each([
    ["prices", "prices.md"],
    [" shop/prices ", "shop/prices.md"],
    ["prices 1.2", "prices 1.2.md"],
    ["Über uns", "Über uns.md"],
  ])("gets the ending that all have: %j is %j", (typed, name) => {
    expect(withEnding(typed)).toBe(name);
    expect(parseKnowledgePath(name)).toEqual({ path: name });
  });

  it.each(["prices.md", "page.html", "notes.MD", "shop/", ""])("is left as it is: %j", (typed) => {
    expect(withEnding(typed)).toBe(typed);
  });
});

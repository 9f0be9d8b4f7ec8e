import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { saidAnew } from "@/components/ui/said-anew";

describe("words that are said anew", () => {
  it("differ from the same words just before, which some screen readers would take for those, by nothing that is seen", () => {
    const said = [1, 2, 3].map(() => renderToStaticMarkup(saidAnew("Is wrong.")));
    expect(said[1]).not.toBe(said[0]);
    expect(said[2]).not.toBe(said[1]);
    expect(said.map((words) => words.trim())).toEqual(["Is wrong.", "Is wrong.", "Is wrong."]);
  });
});

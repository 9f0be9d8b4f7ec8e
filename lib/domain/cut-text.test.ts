import { describe, expect, it } from "vitest";
import { cutText } from "@/lib/domain/cut-text";

describe("cutText", () => {
  it("leaves a text as it is that is no longer than it may be", () => {
    expect(cutText("abc👋", 5)).toBe("abc👋");
  });

  it.each([
    ["abcdef", 4, "abcd"],
    ["abc👋d", 5, "abc👋"],
    ["abc👋d", 4, "abc"],
    ["👋", 1, ""],
  ])("begins %j in at most %i characters, each of them whole", (text, max, beginning) => {
    expect(cutText(text, max)).toBe(beginning);
  });
});

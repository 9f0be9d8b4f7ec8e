import { describe, expect, it } from "vitest";
import { readSearchWords } from "@/lib/domain/read-search-words";

describe("readSearchWords", () => {
  it.each([
    ["invoice 4711", ["invoice", "4711"]],
    ["  a\n\tb  a ", ["a", "b"]],
    [`"net 30" days`, ["net 30", "days"]],
    ["„brutto für netto“ «deux mots» “two words”", ["brutto für netto", "deux mots", "two words"]],
    [`half "open`, ["half", "open"]],
    [`" " ""`, []],
    ["e\u0301te\u0301", ["été"]],
    ["it's o’clock", ["it's", "o’clock"]],
    ["100% _a\\b", ["100%", "_a\\b"]],
  ])("takes %j apart", (text, words) => expect(readSearchWords(text)).toEqual(words));

  it("looks for ten words at most", () => {
    expect(readSearchWords("a b c d e f g h i j k l")).toHaveLength(10);
  });
});

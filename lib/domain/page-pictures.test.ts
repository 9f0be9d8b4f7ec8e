import { describe, expect, it } from "vitest";
import { joinPageLists, listPages, shortenPageList } from "@/lib/domain/page-pictures";

describe("listPages", () => {
  it.each([
    [[], ""],
    [[7], "7"],
    [[1, 2, 3, 7, 9, 10], "1-3, 7, 9-10"],
  ])("says %j as %j", (pages, list) => {
    expect(listPages(pages)).toBe(list);
  });
});

describe("shortenPageList", () => {
  it("leaves a short list as it is, and says of a long one that there is more", () => {
    expect(shortenPageList("1-3, 7")).toBe("1-3, 7");
    const twelve = "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23";
    expect(shortenPageList(twelve)).toBe(twelve);
    const odd = Array.from({ length: 500 }, (_, index) => 2 * index + 1);
    expect(shortenPageList(listPages(odd))).toBe(`${twelve} and more`);
  });
});

describe("joinPageLists", () => {
  it("keeps the order whichever part of a document was read first, and names each page once", () => {
    expect(joinPageLists(undefined, [4, 5])).toBe("4-5");
    expect(joinPageLists("4-5, 9", [1, 2, 3, 9, 12])).toBe("1-5, 9, 12");
    expect(joinPageLists("4-5, 9", [])).toBe("4-5, 9");
  });
});

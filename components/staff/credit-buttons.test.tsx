import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { GrantText } from "@/components/staff/credit-buttons";

describe("a grant, with another's confirmation wanted above", () => {
  it.each([
    [null, "They are there at once, with a line in the account's ledger."],
    [0, "They wait until somebody else of the staff confirms them."],
    [1_000, "Up to 1,000 a day are there at once. More wait until somebody else of the staff confirms them."],
  ])("%s, is said to be there when it is", (secondAbove, words) => {
    expect(textOf(secondAbove, false)).toBe(words);
  });

  it.each([
    [null, false],
    [0, true],
    [1_000, true],
  ])("%s, is said to wait for nobody where nobody else is of the staff: %s", (secondAbove, isSaid) => {
    expect(textOf(secondAbove, true).includes("You are the only member of staff")).toBe(isSaid);
  });
});

const textOf = (secondAbove: number | null, isOnlyStaff: boolean) =>
  renderToStaticMarkup(<GrantText isOnlyStaff={isOnlyStaff} secondAbove={secondAbove} />).replaceAll("&#x27;", "'");

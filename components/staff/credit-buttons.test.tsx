import { expect, it } from "vitest";
import { grantWords } from "@/components/staff/credit-buttons";

it.each([
  [null, "They are there at once, with a line in the account's ledger."],
  [0, "They wait until somebody else of the staff confirms them."],
  [1_000, "Up to 1,000 a day are there at once. More wait until somebody else of the staff confirms them."],
])("a grant, with another's confirmation wanted above %s, is said to be there when it is", (secondAbove, words) => {
  expect(grantWords(secondAbove)).toBe(words);
});

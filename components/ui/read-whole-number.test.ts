import { expect, it } from "vitest";
import { readWholeNumber } from "@/components/ui/read-whole-number";

const read = (text: string) => {
  const form = new FormData();
  form.set("days", text);
  return readWholeNumber(form, "days");
};

it("reads digits, and an empty field as none", () => {
  expect([read("30"), read(" 30 "), read("-5"), read(""), read(" ")]).toEqual([30, 30, -5, null, null]);
  expect(readWholeNumber(new FormData(), "days")).toBeNull();
});

it("takes no number of which it is not clear how much it is", () => {
  expect(["1.000", "1,000", "1.5", "3e2", "ten"].map(read)).toEqual([
    Number.NaN,
    Number.NaN,
    Number.NaN,
    Number.NaN,
    Number.NaN,
  ]);
});

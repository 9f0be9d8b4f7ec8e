import { expect, it } from "vitest";
import { offsetOf } from "@/lib/panel/offset-of";

it.each([
  ["50", 50],
  ["0", 0],
  [undefined, 0],
  ["", 0],
  ["-50", 0],
  ["1.5", 0],
  ["ten", 0],
  [["50", "100"], 0],
  ["2147483647", 2_147_483_647],
  ["2147483648", 0],
  ["9007199254740991", 0],
])("opens a list whose address says %j at %i", (value, offset) => {
  expect(offsetOf(value)).toBe(offset);
});

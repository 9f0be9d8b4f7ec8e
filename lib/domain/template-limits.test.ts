import { expect, it } from "vitest";
import { findPlaceholderFault, isLongerThan, MAX_TEMPLATE_VARIABLES } from "@/lib/domain/template-limits";

it("counts a character of two units as one, as the fields of a call do", () => {
  expect(isLongerThan("🙂".repeat(10), 10)).toBe(false);
  expect(isLongerThan("🙂".repeat(11), 10)).toBe(true);
  expect(isLongerThan("x".repeat(10), 10)).toBe(false);
  expect(isLongerThan("x".repeat(11), 10)).toBe(true);
});

const placeholders = (count: number) => Array.from({ length: count }, (_, n) => `{{p${n}}} {{p${n}}}`).join("");

it("finds as many placeholders at most as a call can pass values for, each counted once", () => {
  expect(findPlaceholderFault(placeholders(MAX_TEMPLATE_VARIABLES))).toBeNull();
  expect(findPlaceholderFault(placeholders(MAX_TEMPLATE_VARIABLES + 1))).toBe(
    "must have at most 1000 different placeholders",
  );
});

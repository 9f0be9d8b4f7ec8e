import { expect, it } from "vitest";
import { isTypedName } from "@/components/ui/is-typed-name";

it("takes a name as it is seen: one space for several, and letters with their marks in one character", () => {
  expect(isTypedName("Two spaces", " Two  spaces\n")).toBe(true);
  expect(isTypedName("Übersicht", "U\u0308bersicht")).toBe(true);
});

it("takes no other name, and anything where none is asked for", () => {
  expect(isTypedName("invoice", "Invoice")).toBe(false);
  expect(isTypedName("Twospaces", "Two spaces")).toBe(false);
  expect(isTypedName("", "Invoice")).toBe(false);
  expect(isTypedName("", undefined)).toBe(true);
});

import { describe, expect, it } from "vitest";
import { isEndUserId } from "@/lib/domain/end-user-id";

describe("isEndUserId", () => {
  it.each([
    "a",
    "7",
    "customer-42",
    "maria.silva@example.com",
    "tenant:user|team+role=x~1",
    "A".repeat(128),
    "a.b.c",
    "a-",
    "a.",
  ])("takes %j", (id) => {
    expect(isEndUserId(id)).toBe(true);
  });

  it.each([
    "",
    "A".repeat(129),
    ".hidden",
    "-x",
    "_x",
    "@x",
    "a..b",
    "a..",
    "../x",
    "a/b",
    "a\\b",
    "a b",
    " a",
    "a\n",
    "a\0",
    "é",
    "а", // Cyrillic
    "a\u200b",
    "a%2e%2e",
    "a😀",
    "a{b}",
    "a'b",
  ])("refuses %j", (id) => {
    expect(isEndUserId(id)).toBe(false);
  });
});

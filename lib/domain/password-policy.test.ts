import { describe, expect, it } from "vitest";
import { passwordFault } from "@/lib/domain/password-policy";

const EMAIL = "ann@acme.example";

describe("passwordFault", () => {
  it.each([
    "a walk in the park",
    "Xk7-mmQ2-p9Lw",
    "пароль-из-многих-слов",
    "x9".repeat(3) + "klmnop".repeat(4),
    "kvzqwkvzqwkv",
    "klmno pqrst".padEnd(200, "uvwx"),
  ])("takes %s", (password) => {
    expect(passwordFault(password, EMAIL)).toBeNull();
  });

  it.each<[string, string]>([
    ["short", "at least 12"],
    [`${"a".repeat(5)}bcdef${"x".repeat(191)}`, "at most 200"],
    [EMAIL.toUpperCase(), "e-mail"],
    [`${EMAIL}!`, "e-mail"],
    ["Ann-123456789", "e-mail"],
    ["Password1234", "guessed first"],
    ["passwordpassword", "guessed first"],
    ["P@ssw0rd!2024", "guessed first"],
    ["123456789012", "guessed first"],
    ["qwertyuiop[]12", "guessed first"],
    ["welcome-admin-1", "guessed first"],
    ["aaaaaaaaaaaaaaa", "guessed first"],
    ["correcthorsebatterystaple", "guessed first"],
  ])("refuses %s", (password, words) => {
    expect(passwordFault(password, EMAIL)).toContain(words);
  });

  it("counts characters as people do", () => {
    expect(passwordFault("🦊🐻🐼🐨🐯🦁", EMAIL)).toContain("at least 12");
  });
});

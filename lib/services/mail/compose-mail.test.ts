import { describe, expect, it } from "vitest";
import { oneLine } from "@/lib/services/mail/compose-mail";

describe("a name in a mail", () => {
  it("ends before a sign that would be cut in two, whose half no mail program shows", () => {
    expect(oneLine(`${"a".repeat(98)}😀😀`)).toBe(`${"a".repeat(98)}😀`);
    expect(oneLine(`${"a".repeat(99)}😀`)).toBe("a".repeat(99));
  });
});

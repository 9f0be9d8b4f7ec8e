import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openText, sealText } from "@/lib/domain/sealed-text";

const key = randomBytes(32).toString("base64");

describe("sealed text", () => {
  it("opens to what was sealed", () => {
    for (const plain of ["", "whsec_abc", "ü€😀".repeat(100)]) expect(openText(sealText(plain, key), key)).toBe(plain);
  });

  it("never seals the same text to the same bytes", () => {
    expect(sealText("a", key)).not.toBe(sealText("a", key));
  });

  it("refuses another key, a changed text and an unknown version", () => {
    const sealed = sealText("secret", key);
    expect(() => openText(sealed, randomBytes(32).toString("base64"))).toThrow();
    const last = sealed.at(-1) === "A" ? "B" : "A";
    expect(() => openText(sealed.slice(0, -2) + last + last, key)).toThrow();
    expect(() => openText(sealed.replace("v1.", "v2."), key)).toThrow();
  });
});

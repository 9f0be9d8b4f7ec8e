import { describe, expect, it } from "vitest";
import { isVisible } from "@/lib/domain/visible-text";

describe("a text of which something is drawn", () => {
  it.each(["Acme", " a ", "مشروع", "👩‍👩‍👧‍👦", "\u200fשלום", "\u200b1"])("is one: %j", (text) => {
    expect(isVisible(text)).toBe(true);
  });

  it.each(["", "  \n", "\u00a0", "\u200b", "\u200e\u200f \u2060", "\ufeff", "\u3164", "\u00ad"])(
    "is none: %j",
    (text) => {
      expect(isVisible(text)).toBe(false);
    },
  );
});

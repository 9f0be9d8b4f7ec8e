import { describe, expect, it } from "vitest";
import { addressWith } from "@/components/ui/address";

describe("addressWith", () => {
  it("keeps what is not changed, lists too", () => {
    expect(addressWith("/panel/logs", { status: "failed", tag: ["a", "b"] }, { offset: "20" })).toBe(
      "/panel/logs?status=failed&tag=a&tag=b&offset=20",
    );
  });

  it("takes out what became empty", () => {
    expect(addressWith("/panel/logs", { status: "failed", offset: "20" }, { status: null, offset: "" })).toBe(
      "/panel/logs",
    );
  });

  it("escapes what people type", () => {
    expect(addressWith("/panel/logs", {}, { endUserId: "a&b=c d" })).toBe("/panel/logs?endUserId=a%26b%3Dc+d");
  });
});

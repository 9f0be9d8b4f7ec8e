import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { apiKeyHint, hashApiKey, isApiKey, keyHintIn, newApiKey, randomBase62 } from "@/lib/domain/api-key";

const ZEROS = "bld_00000000000000000000000000";
/** CRC-32 of 26 zeros, 0xD66C01C2, in base 62. */
const CHECKSUM_OF_ZEROS = "3vSKjy";

describe("newApiKey", () => {
  it("makes the prefix and 32 characters of base 62, with a right checksum", () => {
    for (let round = 0; round < 500; round++) {
      const key = newApiKey();
      expect(key).toMatch(/^bld_[0-9A-Za-z]{32}$/);
      expect(isApiKey(key)).toBe(true);
    }
  });

  it("never makes the same key twice", () => {
    expect(new Set(Array.from({ length: 2_000 }, newApiKey)).size).toBe(2_000);
  });
});

describe("isApiKey", () => {
  const key = newApiKey();
  const flipped = (index: number) => {
    const other = key[index] === "a" ? "b" : "a";
    return key.slice(0, index) + other + key.slice(index + 1);
  };

  it("refuses a key in which any one character was changed", () => {
    for (let index = 4; index < key.length; index++) expect(isApiKey(flipped(index)), `character ${index}`).toBe(false);
  });

  it.each([
    ["nothing", ""],
    ["the prefix alone", "bld_"],
    ["another prefix", key.replace("bld_", "sk_")],
    ["a prefix in capitals", key.replace("bld_", "BLD_")],
    ["one character less", key.slice(0, -1)],
    ["one character more", `${key}0`],
    ["a space before", ` ${key}`],
    ["a line end behind", `${key}\n`],
    ["characters outside the alphabet", `bld_${"-".repeat(32)}`],
    ["letters beyond ASCII", `bld_${"é".repeat(32)}`],
    ["a checksum of zeros", `${ZEROS}000000`],
    ["a very long text", "bld_".repeat(100_000)],
  ])("refuses %s", (_what, text) => {
    expect(isApiKey(text)).toBe(false);
  });

  it("knows the checksum of fixed random parts, so that keys stay valid over versions", () => {
    expect(isApiKey(ZEROS + CHECKSUM_OF_ZEROS)).toBe(true);
  });
});

describe("hashApiKey", () => {
  it("is the SHA-256 of the whole key", () => {
    const key = newApiKey();
    expect(hashApiKey(key)).toEqual(createHash("sha256").update(key).digest());
  });
});

describe("keyHintIn", () => {
  it.each(["…aB3x", " …aB3x ", "bld_…aB3x", "bld_...aB3x", "****aB3x", "Support desk …aB3x"])(
    "finds the end of a key that is shown as %j",
    (text) => expect(keyHintIn(text)).toBe("aB3x"),
  );

  it("cuts a whole key to its end", () => {
    const key = newApiKey();
    expect(keyHintIn(key)).toBe(apiKeyHint(key));
  });

  it.each(["", "aB3x", "Support desk", "…aB3", "…aB3xy", "key_0123aB3x"])("finds none in %j", (text) => {
    expect(keyHintIn(text)).toBeNull();
  });
});

describe("apiKeyHint", () => {
  it("is the last four characters", () => {
    expect(apiKeyHint("bld_abcdefgh1234")).toBe("1234");
  });
});

describe("randomBase62", () => {
  it("uses every character about equally often", () => {
    const counts = new Map<string, number>();
    for (const character of randomBase62(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(250);
  });
});

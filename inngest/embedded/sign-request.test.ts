import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  canonicalJson,
  checkSigningKey,
  hashSigningKey,
  isSignatureValid,
  signBody,
} from "@/inngest/embedded/sign-request";

const KEY = "signkey-prod-0123456789abcdef";
const NOW = 1_700_000_000_500;

describe("canonicalJson", () => {
  it.each([
    [{ b: 1, a: [2, { d: null, c: "x" }] }, '{"a":[2,{"c":"x","d":null}],"b":1}'],
    [{ 10: 1, 9: 2, a: undefined }, '{"10":1,"9":2}'],
    ["\u0000\u2028é", '"\\u0000\u2028é"'],
    [[undefined, 1e21, -0], "[null,1e+21,0]"],
    [{ z: { toJSON: "kept", b: 1, a: 2 } }, '{"z":{"toJSON":"kept","b":1,"a":2}}'],
    [null, "null"],
  ])("writes %j", (value, expected) => {
    expect(canonicalJson(value)).toBe(expected);
  });
});

describe("signatures", () => {
  it("are the keyed hash of body and time, without the key's prefix", () => {
    expect(signBody("{}", KEY, NOW)).toBe(signBody("{}", "0123456789abcdef", NOW));
    expect(signBody("{}", KEY, NOW)).toMatch(/^t=1700000000&s=[0-9a-f]{64}$/);
  });

  it("are refused for another body, key, or time more than five minutes off", () => {
    const signature = signBody("{}", KEY, NOW);
    expect(isSignatureValid(signature, "{}", KEY, NOW + 299_000)).toBe(true);
    expect(isSignatureValid(signature, "{} ", KEY, NOW)).toBe(false);
    expect(isSignatureValid(signature, "{}", "ffff", NOW)).toBe(false);
    expect(isSignatureValid(signature, "{}", KEY, NOW + 301_000)).toBe(false);
    expect(isSignatureValid(signature, "{}", KEY, NOW - 301_000)).toBe(false);
    expect(isSignatureValid("s=aa", "{}", KEY, NOW)).toBe(false);
  });

  it("are refused with another time than the one that was signed, or with none", () => {
    const signature = signBody("{}", KEY, NOW);
    expect(isSignatureValid(signature.replace("t=1700000000", "t=1700000001"), "{}", KEY, NOW)).toBe(false);
    const signedWord = createHmac("sha256", "0123456789abcdef").update("{}soon").digest("hex");
    expect(isSignatureValid(`t=soon&s=${signedWord}`, "{}", KEY, NOW)).toBe(false);
  });
});

describe("signing keys", () => {
  it("are hashed as the protocol's document shows", () => {
    expect(hashSigningKey("signkey-prod-12345678")).toBe(
      "signkey-prod-b2ed992186a5cb19f6668aade821f502c1d00970dfd0e35128d51bac4649916c",
    );
  });

  it.each(["", "signkey-test-", "signkey-test-xyz", "0123456789abcde", "abcd"])("are refused as %j", (key) => {
    expect(() => checkSigningKey(key)).toThrow("hex digits");
  });
});

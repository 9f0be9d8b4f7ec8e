import { describe, expect, it } from "vitest";
import { hideKeys } from "@/components/ui/hide-keys";
import { apiKeyHint, keyHintIn, newApiKey } from "@/lib/domain/api-key";

describe("a text for an address", () => {
  const key = newApiKey();
  const shown = `…${apiKeyHint(key)}`;

  it.each([
    ["whole", key],
    ["in a header", `Authorization: Bearer ${key}`],
    ["in a line of a configuration", `SERVICE_API_KEY="${key}" DATABASE_PASSWORD=secret`],
    ["in JSON", `{"apiKey":"${key}"}`],
    ["in an address", `https://api.example/?key=${key}&x=1`],
  ])("has no more of an API key than its end: %s", (_name, text) => {
    expect(hideKeys(text)).toBe(shown);
  });

  it("has no more of one that was cut off either", () => {
    for (let length = 9; length < key.length; length++) {
      expect(hideKeys(key.slice(0, length))).toBe(`…${key.slice(length - 4, length)}`);
    }
  });

  it("stays as it is without one", () => {
    for (const text of ["", "Support desk", "key_0123456789", "…aB3x", "bld_", "bld_…aB3x"])
      expect(hideKeys(text)).toBe(text);
  });

  it("names the key to the server, as lists show it", () => {
    expect(keyHintIn(hideKeys(key))).toBe(apiKeyHint(key));
  });
});

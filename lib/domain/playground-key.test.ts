import { describe, expect, it } from "vitest";
import { isPlaygroundKey, LONGEST_PLAYGROUND_KEY_SECONDS, PLAYGROUND_KEY } from "@/lib/domain/playground-key";

const NOW = new Date("2026-05-01T12:00:00.000Z");
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

/** One that is taken for the playground's is made without a word to the account's owners. */
describe("a key of the playground", () => {
  it("is known by its name and its short life together", () => {
    const { name, seconds } = PLAYGROUND_KEY;
    expect(isPlaygroundKey({ name, expiresAt: inSeconds(seconds) }, NOW)).toBe(true);
    expect(isPlaygroundKey({ name: "Shop", expiresAt: inSeconds(seconds) }, NOW)).toBe(false);
    expect(isPlaygroundKey({ name, expiresAt: inSeconds(LONGEST_PLAYGROUND_KEY_SECONDS) }, NOW)).toBe(false);
    expect(isPlaygroundKey({ name, expiresAt: null }, NOW)).toBe(false);
  });
});

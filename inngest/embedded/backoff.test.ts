import { describe, expect, it } from "vitest";
import { lossDelayMs, MAX_LOSSES, reconnectDelayMs, retryDelayMs } from "@/inngest/embedded/backoff";

describe("waits", () => {
  it.each([
    [0, 0.5, 15_000],
    [1, 0.5, 30_000],
    [4, 0.5, 240_000],
    [30, 0.5, 7_200_000],
    [0, 0, 12_000],
    [0, 1, 18_000],
  ])(
    "between attempts double up to two hours, a fifth more or less: attempt %i, chance %d is %i ms",
    (attempt, chance, expected) => {
      expect(retryDelayMs(attempt, 15_000, () => chance)).toBe(expected);
    },
  );

  it("after lost calls are short and bounded, so that a crash costs little and a crash loop ends", () => {
    const waits = Array.from({ length: MAX_LOSSES }, (_, losses) => lossDelayMs(losses + 1));
    expect(waits[0]).toBe(200);
    expect(Math.max(...waits)).toBe(30_000);
  });

  it("between tries to connect stay within two seconds", () => {
    expect([0, 1, 5, 50].map(reconnectDelayMs)).toEqual([50, 100, 1_600, 2_000]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TurnError, type TurnErrorOptions } from "@/lib/domain/turn-errors";

const failure = (options: TurnErrorOptions) => new TurnError("MODEL_UNAVAILABLE", "Away.", options);
const again = (retryAfterSeconds?: number) =>
  failure({ isRetryable: true, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });

beforeEach(() => {
  vi.resetModules();
  vi.stubEnv("MODEL_RETRY_DELAYS_SECONDS", "2,40");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the wait before a model is asked again", () => {
  it.each([
    ["is that of the settings, try by try", again(), 0, 2],
    ["is that of the settings, try by try", again(), 1, 40],
    ["is over with the last of the settings", again(), 2, null],
    ["is the server's own where that is longer", again(30), 0, 30],
    ["is never shorter than that of the settings", again(30), 1, 40],
    ["may be five minutes", again(300), 0, 300],
    ["of more than five minutes is not waited", again(300.5), 0, null],
    ["is not there where trying again does not help", failure({ retryAfterSeconds: 1 }), 0, null],
  ])("%s: %j, try %i", async (_, error, attempt, seconds) => {
    const { retryDelay } = await import("@/lib/ai/retry-delay");
    expect(retryDelay(error, attempt)).toBe(seconds);
  });
});

describe("a provider's limit on requests", () => {
  const limited = (retryAfterSeconds?: number, isRetryable = true) =>
    new TurnError("MODEL_RATE_LIMITED", "Too many.", {
      isRetryable,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    });

  it.each([
    ["2,40", "1800", [80, 160, 300, 300, 300, 300, 300, 300, 300]],
    ["1,5,20", undefined, [40, 80, 160, 300, 300, 300, 300, 300, 300, 300]],
    ["1,1", "3", [2]],
    ["1,5,20", "0", []],
    ["600", "700", [300, 300, 300]],
    ["1,1,1,1,1,1,1,1,1,1,1,1", "3600", [2, 4]],
    ["1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "3600", []],
  ])(
    "behind %s is waited out for %s seconds, more or less by chance, and in few enough tries for any queue",
    async (delays, patience, further) => {
      vi.stubEnv("MODEL_RETRY_DELAYS_SECONDS", delays);
      vi.stubEnv("MODEL_LIMIT_PATIENCE_SECONDS", patience);
      const { limitDelays } = await import("@/lib/ai/retry-delay");
      expect(limitDelays()).toEqual(further);
    },
  );

  it.each([
    ["first of all on the schedule of the settings, more or less", limited(), 1, 20, 48],
    ["then for longer, and not all at the same time", limited(), 2, 40, 80],
    ["then for longer, and not all at the same time", limited(), 4, 150, 300],
    ["as long as the server asks, where that is longer, and some longer by chance", limited(250), 2, 250, 300],
    ["so on the schedule of the settings as well", limited(100), 0, 100, 120],
    ["no longer than the settings have patience", limited(), 11, null, null],
    ["not where the server asks for more than five minutes", limited(301), 2, null, null],
    ["not where it helps nothing", limited(undefined, false), 2, null, null],
    ["not where something else is wrong", again(), 2, null, null],
  ])("is waited for %s: %j, try %i", async (_, error, attempt, least, most) => {
    const { patientDelay } = await import("@/lib/ai/retry-delay");
    expect(patientDelay(error, attempt, { random: () => 0 })).toBe(most);
    const shortest = patientDelay(error, attempt, { random: () => 1 });
    expect(shortest).toBe(least);
  });

  it.each([
    ["has all its tries", 4, 4, 2],
    ["has all its tries", 5, 4, 40],
    ["is given up after them", 6, 4, null],
    ["has them also where other attempts were not of this series", 1, 4, 2],
    ["gets none beyond those that the queue has", 11, 11, null],
  ])(
    "takes no tries from what fails behind it: that %s (try %i, %i of them refused)",
    async (_, attempt, limitedTries, seconds) => {
      const { patientDelay } = await import("@/lib/ai/retry-delay");
      expect(patientDelay(again(), attempt, { limitedTries })).toBe(seconds);
    },
  );
});

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

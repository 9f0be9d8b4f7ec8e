import { RetryAfterError } from "inngest";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { retryingFaults, retryingModel } from "@/inngest/functions/retry-turn";

const call = (attempt: number) => ({ turnId: "trn_1", attempt });

/** Seconds until the engine tries again. */
async function waitOf(work: Promise<unknown>): Promise<number> {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof RetryAfterError)) throw new Error("it is not tried again");
  return Number(error.retryAfter);
}

beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe("work on a turn", () => {
  it("that meets a fault of ours is tried again soon, then less often, and at least each half minute", async () => {
    const fault = (attempt: number) => waitOf(retryingFaults(call(attempt), Promise.reject(new Error("no database"))));
    expect(await Promise.all([0, 1, 2, 5, 19].map(fault))).toEqual([1, 2, 4, 30, 30]);
  });

  it("whose model failed is tried again when that is due, and otherwise says what came of it", async () => {
    const retry = { status: "retry" as const, delaySeconds: 20, reason: "MODEL_UNAVAILABLE" };
    expect(await waitOf(retryingModel(call(0), Promise.resolve(retry)))).toBe(20);
    expect(await retryingModel(call(0), Promise.resolve({ status: "ended" }))).toBe("ended");
    expect(await waitOf(retryingModel(call(3), Promise.reject(new Error("no database"))))).toBe(8);
  });
});

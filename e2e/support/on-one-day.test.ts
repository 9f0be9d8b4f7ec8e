import { afterEach, describe, expect, it, vi } from "vitest";
import { onOneDay } from "@/e2e/support/on-one-day";

afterEach(() => {
  vi.useRealTimers();
});

const at = (time: string) => vi.useFakeTimers({ toFake: ["Date"], now: new Date(time) });

describe("onOneDay", () => {
  it("has done anew, with the new day, what failed as midnight came between", async () => {
    at("2026-12-31T23:59:59.999Z");
    const days: string[] = [];
    await onOneDay(async (today) => {
      days.push(today);
      at("2027-01-01T00:00:00.000Z");
      expect(today).toBe("2027-01-01");
    });
    expect(days).toEqual(["2026-12-31", "2027-01-01"]);
  });

  it("fails with what fails on one day, at the first time", async () => {
    at("2026-11-30T12:00:00.000Z");
    const act = vi.fn(async () => {
      throw new Error("wrong");
    });
    await expect(onOneDay(act)).rejects.toThrow("wrong");
    expect(act).toHaveBeenCalledOnce();
  });
});

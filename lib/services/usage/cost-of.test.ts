import { beforeAll, describe, expect, it } from "vitest";
import { useTestSettings } from "@/e2e/support/test-settings";
import { costOf } from "@/lib/services/usage/cost-of";

beforeAll(() => useTestSettings("postgres://unused", { CREDIT_PRICE: "0.00007", CREDIT_CURRENCY: "EUR" }));

describe("what credits cost", () => {
  it("is as fine as the price of one, so that days add up to their total", () => {
    expect(costOf(1)).toEqual({ credits: 1, amount: 0.00007, currency: "EUR" });
    expect(costOf(0).amount).toBe(0);
  });

  it("has no more digits than that, however floating point multiplies", () => {
    for (const credits of [...Array(2_000).keys(), 2_147_483_647, 1_234_567_890_123]) {
      expect(costOf(credits).amount).toBe(Number(`${credits * 7}e-5`));
    }
  });
});

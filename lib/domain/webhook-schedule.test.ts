import { expect, it } from "vitest";
import { maxAttempts, nextDelaySeconds } from "@/lib/domain/webhook-schedule";

const DELAYS = [30, 300, 1_800, 7_200];

it("makes five attempts on the default schedule", () => {
  expect(maxAttempts(DELAYS)).toBe(5);
  expect([1, 2, 3, 4, 5].map((attempt) => nextDelaySeconds(attempt, DELAYS))).toEqual([30, 300, 1_800, 7_200, null]);
});

it("makes one attempt without delays, and knows delays of zero", () => {
  expect([maxAttempts([]), nextDelaySeconds(1, [])]).toEqual([1, null]);
  expect([maxAttempts([0]), nextDelaySeconds(1, [0]), nextDelaySeconds(2, [0])]).toEqual([2, 0, null]);
});

import { afterEach, describe, expect, it } from "vitest";
import { estimateCredits } from "@/lib/domain/credits";
import { findModel, inputBudgetTokens, setOwnModels } from "@/lib/domain/model-catalog";
import { estimateReading, groupResults, MAX_READING_TOKENS, roomForParts } from "@/lib/domain/reading-plan";

const SMALL = "a-model-with-a-small-window";
const LARGE = "gpt-4.1-mini";

describe("estimateReading", () => {
  it("is the estimate of one call for what fits the window", () => {
    const { min, max } = estimateCredits(LARGE, 1_200);
    expect(estimateReading(LARGE, 200, 1_000)).toEqual({ parts: 1, tokensIn: 1_200, creditsMin: min, creditsMax: max });
  });

  it("grows with the text beyond the window, never falls, and has an end", () => {
    const budget = inputBudgetTokens(findModel(SMALL));
    let before = estimateReading(SMALL, 300, budget - 300);
    expect(before.parts).toBe(1);
    for (const factor of [1, 2, 5, 20, 100]) {
      const next = estimateReading(SMALL, 300, budget * factor);
      expect(next.parts).toBeGreaterThan(before.parts);
      expect(next.tokensIn).toBeGreaterThan(before.tokensIn);
      expect(next.creditsMax).toBeGreaterThanOrEqual(next.creditsMin);
      before = next;
    }
    expect(estimateReading(SMALL, 300, 1e12)).toEqual(estimateReading(SMALL, 300, MAX_READING_TOKENS));
  });

  it("counts the parts that pictures make of a document that would fit the window", () => {
    const estimate = estimateReading(LARGE, 200, 300_000, { parts: 6, asked: 6 });
    expect(estimate.parts).toBe(6);
    expect(estimate.tokensIn).toBeGreaterThan(300_000 + 6 * 200);
    expect(estimate.creditsMax).toBeGreaterThan(estimate.creditsMin);
    expect(estimateReading(LARGE, 200, 300_000).parts).toBe(1);
  });

  it("counts no question about parts on whose pages nothing is, but what is noted of them", () => {
    const all = estimateReading(LARGE, 200, 10_000, { parts: 50, asked: 50 });
    const few = estimateReading(LARGE, 200, 10_000, { parts: 50, asked: 5 });
    expect(few.parts).toBe(50);
    expect(few.tokensIn).toBeLessThan(all.tokensIn - 45 * 600);
    expect(few.tokensIn).toBeGreaterThan(10_000 + 5 * 600 + 45 * 30);
    expect(few.creditsMax).toBeLessThan(all.creditsMax);
    expect(estimateReading(LARGE, 200, 0, { parts: 50, asked: 0 }).creditsMin).toBe(1);
  });

  it("expects short notes of short parts", () => {
    const short = estimateReading(LARGE, 200, 3_000, { parts: 3, asked: 3 });
    const long = estimateReading(LARGE, 200, 150_000, { parts: 3, asked: 3 });
    expect(short.creditsMax).toBeLessThanOrEqual(short.creditsMin + 3);
    expect(long.tokensIn - 150_000).toBeGreaterThan(3 * 400);
  });

  it("counts what goes along once for each part", () => {
    const lean = estimateReading(SMALL, 100, 200_000);
    const fat = estimateReading(SMALL, 5_100, 200_000);
    expect(fat.tokensIn - lean.tokensIn).toBeGreaterThan(lean.parts * 5_000);
  });
});

describe("roomForParts", () => {
  afterEach(() => setOwnModels({}));

  it("is there in a small window too, beside a short instruction", () => {
    for (const contextWindowTokens of [4_096, 8_192, 16_384]) {
      setOwnModels({ tiny: { contextWindowTokens } });
      const room = roomForParts("tiny", 250);
      expect(room && room.tokens / room.resultTokens, `${contextWindowTokens}`).toBeGreaterThanOrEqual(4);
    }
  });

  it("leaves a join room for several results, so that joining ends", () => {
    for (const model of [SMALL, LARGE, "gpt-4o"]) {
      const room = roomForParts(model, 500);
      expect(room && room.tokens / room.resultTokens).toBeGreaterThanOrEqual(4);
    }
  });

  it("keeps that also where instructions leave little of the window", () => {
    const budget = inputBudgetTokens(findModel(SMALL));
    for (const left of [2_400, 5_000, 12_000]) {
      const room = roomForParts(SMALL, budget - left);
      expect(room && room.tokens / room.resultTokens, `${left} left`).toBeGreaterThanOrEqual(4);
    }
  });

  it("is none where instructions fill the window", () => {
    expect(roomForParts(SMALL, inputBudgetTokens(findModel(SMALL)) - 1_000)).toBeNull();
  });
});

describe("groupResults", () => {
  it("keeps the order, leaves none out and fits each group", () => {
    const sizes = Array.from({ length: 37 }, (_, i) => 100 + (i % 5) * 50);
    const groups = groupResults(sizes, 1_000) ?? [];
    expect(groups[0]?.first).toBe(0);
    expect(groups.at(-1)?.last).toBe(36);
    for (const [index, { first, last }] of groups.entries()) {
      expect(sizes.slice(first, last + 1).reduce((a, b) => a + b)).toBeLessThanOrEqual(1_000);
      if (index > 0) expect(first).toBe((groups[index - 1]?.last ?? 0) + 1);
    }
  });

  it("asks for no join when all fit the last call", () => {
    expect(groupResults([100, 200, 300], 600)).toBeNull();
    expect(groupResults([], 600)).toBeNull();
  });
});

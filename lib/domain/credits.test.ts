import { afterEach, describe, expect, it } from "vitest";
import { affordableTokensOut, creditLimitOf, creditsFor, estimateCredits } from "@/lib/domain/credits";
import { setOwnModels } from "@/lib/domain/model-catalog";

const DEFAULT_MODEL = "gpt-4.1-mini";

describe("creditsFor", () => {
  it.each([
    [DEFAULT_MODEL, 0, 0, 1],
    [DEFAULT_MODEL, 20, 30, 1],
    [DEFAULT_MODEL, 2_500, 0, 1],
    [DEFAULT_MODEL, 2_501, 0, 2],
    [DEFAULT_MODEL, 0, 625, 1],
    [DEFAULT_MODEL, 0, 626, 2],
    [DEFAULT_MODEL, 100_000, 2_000, 44],
    [DEFAULT_MODEL, 1_047_576, 32_768, 472],
    ["gpt-4.1", 1_000, 1_000, 10],
    ["gpt-4o-mini", 1_000_000, 1_000_000, 750],
    ["some-local-model", 2_500, 625, 2],
  ])("charges %s for %i in and %i out %i", (model, tokensIn, tokensOut, credits) => {
    expect(creditsFor(model, tokensIn, tokensOut)).toBe(credits);
  });

  describe("by an operator's own prices", () => {
    afterEach(() => setOwnModels({}));

    it.each([
      [0.0375, 4_000_000, 150],
      [0.0375, 4_000_001, 151],
      [0.0004, 10_000_000, 4],
      [0.000_001, 1_000_000_001, 2],
      [100_000, 1_000, 100_000],
    ])("takes %d for 1,000 tokens as it stands", (creditsPerThousandTokensIn, tokensIn, credits) => {
      setOwnModels({ own: { creditsPerThousandTokensIn } });
      expect(creditsFor("own", tokensIn, 0)).toBe(credits);
    });
  });
});

describe("estimateCredits", () => {
  it.each([1, 10, 50, 200, 1_000])(
    "reserves exactly one credit for a message of %i tokens on the default model",
    (tokensIn) => {
      expect(estimateCredits(DEFAULT_MODEL, tokensIn)).toEqual({ min: 1, max: 1, tokensOut: 300 });
    },
  );

  it("expects longer answers to longer input, up to a point", () => {
    expect(estimateCredits(DEFAULT_MODEL, 10_000).tokensOut).toBe(1_000);
    expect(estimateCredits(DEFAULT_MODEL, 1_000_000).tokensOut).toBe(2_000);
  });

  it("never expects more than the call or the model allows", () => {
    expect(estimateCredits(DEFAULT_MODEL, 10_000, 50).tokensOut).toBe(50);
    expect(estimateCredits("gpt-4o", 10, 10 ** 9).tokensOut).toBe(300);
  });

  it("has a minimum that is never above the maximum", () => {
    for (const tokensIn of [0, 1, 2_499, 2_500, 2_501, 500_000]) {
      const { min, max } = estimateCredits(DEFAULT_MODEL, tokensIn);
      expect(min).toBeLessThanOrEqual(max);
    }
  });
});

describe("creditLimitOf", () => {
  it.each([
    ["what is promised and free", { maxCredits: null, creditsReserved: 5, creditsFree: 20 }, 25, null],
    [
      "what is promised, with less than nothing free",
      { maxCredits: null, creditsReserved: 5, creditsFree: -3 },
      5,
      null,
    ],
    ["the call's own limit", { maxCredits: 10, creditsReserved: 5, creditsFree: 20 }, 10, 10],
    [
      "the call's own limit, when that is all there is",
      { maxCredits: 25, creditsReserved: 5, creditsFree: 20 },
      25,
      25,
    ],
    [
      "no more than there is, whatever the call allows",
      { maxCredits: 99, creditsReserved: 5, creditsFree: 0 },
      5,
      null,
    ],
  ])("is %s", (_name, turn, credits, maxCredits) => {
    expect(creditLimitOf(turn)).toEqual({ credits, maxCredits });
  });
});

describe("affordableTokensOut", () => {
  it.each([
    [0, 1, 625],
    [1_250, 1, 312],
    [2_500, 1, 0],
    [9_999_999, 1, 0],
    [0, 0, 0],
  ])("with %i tokens in and %i credits allows %i tokens out", (tokensIn, credits, tokensOut) => {
    expect(affordableTokensOut(DEFAULT_MODEL, tokensIn, credits)).toBe(tokensOut);
  });

  describe("with answers that cost nothing", () => {
    afterEach(() => setOwnModels({}));

    it.each([
      [1_000, 2, Number.MAX_SAFE_INTEGER],
      [2_000, 2, Number.MAX_SAFE_INTEGER],
      [2_001, 2, 0],
      [0, 0, 0],
    ])("and %i tokens in, %i credits allow %i tokens out", (tokensIn, credits, tokensOut) => {
      setOwnModels({ own: { creditsPerThousandTokensIn: 1, creditsPerThousandTokensOut: 0 } });
      expect(affordableTokensOut("own", tokensIn, credits)).toBe(tokensOut);
    });
  });

  it("gives the very longest answer that stays within the credits", () => {
    for (const credits of [1, 2, 7, 40]) {
      const tokensOut = affordableTokensOut(DEFAULT_MODEL, 777, credits);
      expect(creditsFor(DEFAULT_MODEL, 777, tokensOut)).toBe(credits);
      expect(creditsFor(DEFAULT_MODEL, 777, tokensOut + 1)).toBe(credits + 1);
    }
  });
});

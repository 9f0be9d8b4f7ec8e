import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { PlanEnd } from "@/components/overview/plan-end";
import type { PlanMeter } from "@/lib/contracts/overview";

const PLAN: PlanMeter = {
  id: "free",
  name: "Free",
  tokenLimit: 100_000,
  tokensUsed: 99_999,
  periodStart: "2026-11-01T00:00:00.000Z",
  periodEnd: "2026-12-01T00:00:00.000Z",
  credits: { balance: 100, reserved: 99, usedThisPeriod: 0 },
};

describe("the end of a plan", () => {
  it("says nothing while something is left", () => {
    expect(renderToStaticMarkup(<PlanEnd plan={PLAN} />)).toBe("");
  });

  it("says until when work is refused once the month's tokens are used up", () => {
    const markup = renderToStaticMarkup(<PlanEnd plan={{ ...PLAN, tokensUsed: 100_000 }} />);
    expect(markup).toContain("new work is refused until 1 Dec 2026, 00:00 UTC");
  });

  it("says that work is refused once running work holds all credits", () => {
    const wordsAt = (credits: Partial<PlanMeter["credits"]>) =>
      renderToStaticMarkup(<PlanEnd plan={{ ...PLAN, credits: { ...PLAN.credits, ...credits } }} />);
    expect(wordsAt({ reserved: 100 })).toContain(
      "No credits are free: new work is refused until some are added to the account, or until running work ends",
    );
    expect(wordsAt({ balance: 0, reserved: 0 })).toContain("until some are added to the account.</p>");
  });

  it("knows no end of tokens where the plan has none", () => {
    const markup = renderToStaticMarkup(<PlanEnd plan={{ ...PLAN, tokenLimit: null, tokensUsed: 10_000_000 }} />);
    expect(markup).not.toContain("refused");
  });
});

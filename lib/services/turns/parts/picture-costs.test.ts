import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runTurnInParts } from "@/e2e/support/reading-engine";
import {
  callWith,
  document,
  LARGE,
  SCAN,
  type ScanStage,
  SHEET,
  SMALL,
  send,
  startScanStage,
  textPage,
  turnRow,
  WHITE,
} from "@/e2e/support/scan-stage";
import { tellingScan } from "@/e2e/support/shown-pages";
import { createTestAccount } from "@/e2e/support/test-account";
import type { ScannedPage } from "@/lib/ai/files/samples/sample-pdf";
import { type ScanFormat, type SheetLook, scanImage } from "@/lib/ai/files/samples/sample-scan-image";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { quoteTurn } from "@/lib/services/turns/quote-turn";

let stage: ScanStage;

beforeAll(async () => {
  stage = await startScanStage();
});

beforeEach(() => {
  stage.model.setBehaviour({ answer: "Notes." });
  stage.model.journal.length = 0;
});

afterAll(() => stage.close());

/** A sheet as a scanner makes it, on small paper, so that drawing it is quick. */
const sheet = (look: SheetLook, page: number, format: ScanFormat = "jpeg"): ScannedPage => ({
  box: "0 200 120 640",
  scan: { image: scanImage(format, look, { seed: page % 10 }) },
});
const FEW = new Set([3, 77, 78, 101, 118]);

describe("a scan", () => {
  it("is reserved and quoted near the truth, and refused before anything is asked where it costs too much", async () => {
    const account = await createTestAccount();
    const pdf = document(30, () => SCAN);
    const call = await callWith(account, pdf, { model: LARGE });
    const quote = await quoteTurn(account.principal, call);
    expect(quote.warnings).toEqual([expect.stringMatching(/in about 2 parts/)]);
    const { turnId } = await send(account, pdf);
    await answerTurn(turnId, 0);
    const { credits_reserved: reserved } = await turnRow(turnId);
    await runTurnInParts(turnId);
    const turn = await turnRow(turnId);
    expect(turn.context.parts).toMatchObject({ count: 2 });
    for (const [estimate, real] of [
      [quote.tokensInEstimate, turn.tokens_in],
      [quote.creditsEstimate.max, turn.credits_used],
      [reserved, turn.credits_used],
    ]) {
      expect(estimate, `${estimate} against ${real}`).toBeGreaterThanOrEqual(real);
      expect(estimate, `${estimate} against ${real}`).toBeLessThanOrEqual(real * 2);
    }
    expect(quote.creditsEstimate.min).toBeLessThanOrEqual(turn.credits_used * 1.1);

    const refused = await send(account, pdf, { maxCredits: 5 });
    const asked = stage.model.journal.length;
    expect(await answerTurn(refused.turnId, 0)).toEqual({ status: "ended" });
    expect(await turnRow(refused.turnId)).toMatchObject({ status: "failed", error_code: "MAX_CREDITS_REACHED" });
    expect(stage.model.journal).toHaveLength(asked);
  });

  it.each([
    ["one call, small pages", () => document(12, tellingScan)],
    ["one call, empty pages among whole sheets", () => document(60, (page) => (page % 6 === 0 ? SHEET : {}))],
    ["one call, white scans among scans", () => document(16, (page) => (page % 2 === 0 ? SCAN : WHITE))],
    ["parts, empty pages among scans", () => document(100, (page) => (page % 4 === 0 ? SCAN : {}))],
    ["parts, small pages", () => document(45, tellingScan)],
    ["parts, white scans among scans", () => document(60, (page) => (page % 2 === 0 ? SCAN : WHITE))],
    ["one call, few written sheets", () => document(120, (page) => sheet(FEW.has(page) ? "written" : "white", page))],
    [
      "one call, ten written sheets, then white",
      () => document(120, (page) => sheet(page <= 10 ? "written" : "white", page)),
    ],
    [
      "parts, few white sheets",
      () => document(120, (page) => sheet(FEW.has(page) ? "white" : "written", page, "flate")),
    ],
    [
      "parts, written sheets in one place",
      () => document(120, (page) => sheet(page > 50 && page < 80 ? "written" : "white", page)),
    ],
    [
      "parts, noisy paper",
      () => document(120, (page) => sheet(page % 3 > 0 ? "noisy" : page % 2 > 0 ? "white" : "written", page)),
    ],
    ["parts, text and empty pages", () => document(200, (page) => (page % 2 === 0 ? textPage(page) : {})), SMALL],
  ])("is quoted within a factor of two of what it costs: %s", async (name, make, modelName = LARGE) => {
    const account = await createTestAccount();
    const pdf = make();
    const quote = await quoteTurn(account.principal, await callWith(account, pdf, { model: modelName }));
    const { turnId } = await send(account, pdf, { model: modelName });
    await (name.startsWith("parts") ? runTurnInParts(turnId) : answerTurn(turnId, 0));
    const turn = await turnRow(turnId);
    expect(turn.status).toBe("completed");
    const { min, max } = quote.creditsEstimate;
    const said = `${JSON.stringify(quote)} against ${turn.tokens_in} tokens and ${turn.credits_used} credits`;
    expect(quote.tokensInEstimate / turn.tokens_in, said).toBeGreaterThan(0.5);
    expect(quote.tokensInEstimate / turn.tokens_in, said).toBeLessThan(2);
    // How long the answers are is not known before: the range is.
    expect(min, said).toBeLessThanOrEqual(turn.credits_used);
    expect(max, said).toBeGreaterThanOrEqual(turn.credits_used);
    expect(max, said).toBeLessThanOrEqual(turn.credits_used * 2);
    await stage.expectOneCharge(account, turn.credits_used);
  });

  it("is quoted without its pages beyond the bound, and says how many these are", async () => {
    const account = await createTestAccount({ credits: 10_000 });
    const call = await callWith(
      account,
      document(1_003, () => SHEET),
      { model: LARGE },
    );
    const { warnings, creditsEstimate } = await quoteTurn(account.principal, call);
    expect(warnings).toEqual([
      expect.stringMatching(/than can be shown: 3 would be left out/),
      expect.stringMatching(/in about 50 parts/),
    ]);
    expect(creditsEstimate.max).toBeGreaterThan(1_000);
    expect(stage.model.journal).toEqual([]);
  });
});

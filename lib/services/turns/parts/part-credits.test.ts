import { describe, expect, it } from "vitest";
import { booksOf, MODEL, pages, partRows, reading, usePartsStage } from "@/e2e/support/parts-stage";
import { dieAt, readingEngine, runTurnInParts as runTurn } from "@/e2e/support/reading-engine";
import { createTestAccount } from "@/e2e/support/test-account";
import { readRow } from "@/e2e/support/turn-reads";
import { db } from "@/lib/db/pool";
import { tokensSentAnyway } from "@/lib/domain/conversation-window";
import { findModel } from "@/lib/domain/model-catalog";
import { buildSystemPrompt } from "@/lib/domain/prompt-blocks";
import { roomForParts } from "@/lib/domain/reading-plan";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { beginPart } from "@/lib/services/turns/parts/begin-part";
import { readDocument } from "@/lib/services/turns/parts/read-document";
import { readPart } from "@/lib/services/turns/parts/read-part";
import { takeReading } from "@/lib/services/turns/parts/take-reading";
import { prepareTurn, type StartCall } from "@/lib/services/turns/prepare-turn";
import { quoteTurn } from "@/lib/services/turns/quote-turn";

const stage = usePartsStage();
const { answering } = stage;

describe("credits", () => {
  it("are promised to the turn before the first part is asked", async () => {
    const account = await createTestAccount();
    answering();
    const { turnId } = await acceptTurn(account.principal, reading(pages(1_000)));
    await answerTurn(turnId, 0);
    const { reserved } = await booksOf(account);
    expect(reserved).toBe((await readRow("turns", turnId)).credits_reserved);
    expect(reserved).toBeGreaterThan(50);
    expect(stage.model.journal).toEqual([]);
    if (await readDocument(readingEngine(turnId))) await answerTurn(turnId, 0, true);
    const used = (await readRow("turns", turnId)).credits_used;
    expect(reserved).toBeGreaterThanOrEqual(used);
    expect(reserved).toBeLessThanOrEqual(2 * used);
  });

  it("that do not suffice fail the turn before anything is asked", async () => {
    const account = await createTestAccount({ credits: 20 });
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(1_000)));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("sessions", sessionId)).toMatchObject({
      status: "failed",
      error_code: "INSUFFICIENT_CREDITS",
    });
    expect(await booksOf(account)).toEqual({ balance: 20, reserved: 0, ledger: 20, charges: 0 });
    expect(stage.model.journal).toEqual([]);
  });

  it("that end between the parts fail the turn, charge nothing and return what was promised", async () => {
    const account = await createTestAccount();
    answering();
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(1_000)));
    await answerTurn(turnId, 0);
    await dieAt(turnId, "read-part-4");
    // As if the provider's counts had come out far above the estimate.
    await db().query("UPDATE turn_parts SET tokens_in = 5000000 WHERE turn_id = $1 AND position = 0", [turnId]);
    const asked = stage.model.journal.length;
    await runTurn(turnId);
    expect(await readRow("sessions", sessionId)).toMatchObject({
      status: "failed",
      error_code: "INSUFFICIENT_CREDITS",
    });
    expect(await booksOf(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000, charges: 0 });
    expect(stage.model.journal).toHaveLength(asked);
  });

  it("that end within a part fail the turn, and its notes, cut off there, are not taken for whole ones", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, reading(pages(400)));
    await answerTurn(turnId, 0);
    const taken = await takeReading(turnId);
    const part = { turnId, generation: taken?.generation ?? 0, level: 0, position: 0 };
    const left = (await beginPart(part))?.affordableTokensOut ?? 0;
    const { creditsPerThousandTokensIn: priceIn, creditsPerThousandTokensOut: priceOut } = findModel(MODEL);
    // As if the part after it had cost what is there, but for the price of some hundred tokens.
    const cost = Math.floor(((left - 100) * priceOut) / priceIn);
    await db().query(
      "UPDATE turn_parts SET output = 'Notes.', tokens_in = $2, tokens_out = 0 WHERE turn_id = $1 AND position = 1",
      [turnId, cost],
    );
    answering("Notes, cut", () => ({ finishReason: "length" }));
    expect(await readPart(part, 0)).toEqual({ status: "ended" });
    expect(stage.model.journal).toHaveLength(1);
    expect((await partRows(turnId)).map(({ position, output }) => [position, output])).toEqual([[1, "Notes."]]);
    expect(await readRow("sessions", sessionId)).toMatchObject({
      status: "failed",
      error_code: "INSUFFICIENT_CREDITS",
    });
    expect(await booksOf(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000, charges: 0 });
  });

  it("are those of its own account, whatever others have", async () => {
    const left: number[] = [];
    for (const credits of [1_000, 1_100, 1_000]) {
      const account = await createTestAccount({ credits });
      const { turnId } = await acceptTurn(account.principal, reading(pages(400)));
      await answerTurn(turnId, 0);
      const generation = (await takeReading(turnId))?.generation ?? 0;
      left.push((await beginPart({ turnId, generation, level: 0, position: 0 }))?.affordableTokensOut ?? 0);
    }
    const [usual = 0, more, again] = left;
    expect(more).toBeGreaterThan(usual);
    expect(again).toBe(usual);
  });

  it("are left to a part as far as the parts under way leave them", async () => {
    const account = await createTestAccount();
    const { turnId } = await acceptTurn(account.principal, reading(pages(400)));
    await answerTurn(turnId, 0);
    const generation = async () => (await takeReading(turnId))?.generation ?? 0;
    const affordable = async (worker: number, position: number) =>
      (await beginPart({ turnId, generation: worker, level: 0, position }))?.affordableTokensOut ?? 0;
    const first = await generation();
    const alone = await affordable(first, 0);
    expect(await affordable(first, 0), "asked again").toBe(alone);
    const rows = await partRows(turnId);
    const { creditsPerThousandTokensIn: priceIn, creditsPerThousandTokensOut: priceOut } = findModel(MODEL);
    let left = alone;
    for (const position of [1, 2]) {
      await affordable(first, position);
      // Its text, and an answer of the usual length.
      left -= (rows[position].tokens_in_estimate * priceIn) / priceOut + 500;
      expect(Math.abs((await affordable(first, 0)) - left)).toBeLessThanOrEqual(1);
    }
    expect(await affordable(await generation(), 0), "what a dead worker asked is not under way").toBe(alone);
  });

  it("are never more than maxCredits", async () => {
    const account = await createTestAccount();
    answering();
    const refused = await acceptTurn(account.principal, reading(pages(1_000), { maxCredits: 10 }));
    expect(await answerTurn(refused.turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("turns", refused.turnId)).toMatchObject({
      status: "failed",
      error_code: "MAX_CREDITS_REACHED",
    });
    expect(stage.model.journal).toEqual([]);
    const allowed = await acceptTurn(account.principal, reading(pages(1_000), { maxCredits: 300 }));
    await runTurn(allowed.turnId);
    const turn = await readRow("turns", allowed.turnId);
    expect(turn.status).toBe("completed");
    expect(turn.credits_used).toBeLessThanOrEqual(300);
  });

  it("are reserved and quoted near the truth for texts far beyond the window", async () => {
    const account = await createTestAccount({ credits: 100_000 });
    answering();
    for (const count of [150, 600, 2_000]) {
      const call = {
        endpoint: "POST /chat",
        requestId: "req_test",
        input: "List the facts.",
        inputNames: ["message"],
        fileContent: pages(count),
      } satisfies StartCall;
      const quote = await quoteTurn(account.principal, call);
      const { creditsToReserve } = await prepareTurn(account.principal, call);
      const { turnId } = await acceptTurn(account.principal, reading(call.fileContent, { creditsToReserve }));
      await runTurn(turnId);
      const turn = await readRow("turns", turnId);
      for (const [estimate, real] of [
        [quote.tokensInEstimate, turn.tokens_in],
        [quote.creditsEstimate.max, turn.credits_used],
        [creditsToReserve, turn.credits_used],
      ]) {
        expect(estimate, `${estimate} against ${real}`).toBeGreaterThanOrEqual(real / 2);
        expect(estimate, `${estimate} against ${real}`).toBeLessThanOrEqual(real * 2);
      }
      expect(quote.creditsEstimate.min).toBeLessThanOrEqual(turn.credits_used);
      expect(quote.warnings).toEqual([expect.stringMatching(/in about \d+ parts/)]);
    }
  });

  it("are quoted for the parts that the turn is then cut into, to the last of them", async () => {
    const account = await createTestAccount({ credits: 100_000 });
    const input = "List the facts.";
    const fixedTokens = tokensSentAnyway(estimateTokens(buildSystemPrompt()), estimateTokens(input));
    const room = roomForParts(MODEL, fixedTokens)?.tokens ?? 0;
    // One endless word is cut where a part is full, and a few tokens of it are left for a third one.
    const fileContent = "a".repeat(4 * (2 * room + 4));
    const call = {
      endpoint: "POST /chat",
      requestId: "req_test",
      input,
      inputNames: ["message" as const],
      fileContent,
    };
    const { warnings } = await quoteTurn(account.principal, call);
    expect(warnings).toEqual([expect.stringContaining("in about 3 parts")]);
    const { turnId } = await acceptTurn(account.principal, reading(fileContent, { input }));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "parts" });
    const { rows } = await db().query("SELECT count(*) AS parts FROM turn_parts WHERE turn_id = $1", [turnId]);
    expect(rows).toEqual([{ parts: 3 }]);
  });

  it("are quoted as none where instructions leave no room for parts: the call fails before anything is asked", async () => {
    const account = await createTestAccount();
    await db().query("UPDATE projects SET system_prompt = $2 WHERE id = $1", [
      account.projectId,
      "Answer in the manner of our house. ".repeat(2_800),
    ]);
    const { principal } = account;
    const call = { endpoint: "POST /chat", requestId: "req_test", input: "List.", inputNames: ["message" as const] };
    const quote = await quoteTurn(principal, { ...call, fileContent: pages(1_000) });
    expect(quote).toMatchObject({
      creditsEstimate: { min: 0, max: 0 },
      warnings: [
        expect.stringMatching(/no room to read the text.* would fail with MODEL_REJECTED and cost nothing\.$/),
      ],
    });
    const { turnId } = await acceptTurn(principal, reading(pages(1_000), { input: "List." }));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("turns", turnId)).toMatchObject({
      status: "failed",
      error_code: "MODEL_REJECTED",
      credits_used: 0,
    });
    expect(stage.model.journal).toEqual([]);
    expect(await booksOf(account)).toMatchObject({ reserved: 0, charges: 0 });
  });

  it("that do not suffice are named by the quote", async () => {
    const account = await createTestAccount({ credits: 20 });
    const call = {
      endpoint: "POST /chat",
      requestId: "req_test",
      input: "List.",
      inputNames: ["message"],
    } satisfies StartCall;
    expect((await quoteTurn(account.principal, { ...call, fileContent: pages(20) })).wouldExceed).toBeNull();
    expect((await quoteTurn(account.principal, { ...call, fileContent: pages(1_000) })).wouldExceed).toBe("credits");
  });
});

import { afterEach, describe, expect, it } from "vitest";
import type { ModelBehaviour } from "@/e2e/support/model-server";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { balanceOf, eventsOf, readRow, streamedText } from "@/e2e/support/turn-reads";
import { message, useTurnStage } from "@/e2e/support/turn-stage";
import { creditsFor } from "@/lib/domain/credits";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

const stage = useTurnStage();
afterEach(() => stage.model.setBehaviour({}));

const INVOICE = {
  type: "object",
  properties: { total: { type: "number" }, currency: { type: "string" } },
  required: ["total", "currency"],
  additionalProperties: false,
};
const RIGHT = '{"total": 12.50, "currency": "EUR"}';
const WRONG = '{"total": "12.50", "currency": "EUR"}';

/** Answers a turn by the schema, and gives what the model was asked. */
async function ask(behaviour: ModelBehaviour, more: Partial<TurnInput> = {}) {
  const account = await createTestAccount();
  const first = stage.model.journal.length;
  stage.model.setBehaviour(behaviour);
  const turn = await acceptTurn(account.principal, message("What does it cost?", { outputSchema: INVOICE, ...more }));
  expect(await answerTurn(turn.turnId, 0)).toEqual({ status: "ended" });
  return { account, ...turn, asked: stage.model.journal.slice(first), row: await readRow("turns", turn.turnId) };
}

/** Each time the next of them. */
function inTurn(...answers: string[]): ModelBehaviour {
  let asked = 0;
  return () => ({ answer: answers[asked++] ?? answers.at(-1) ?? "" });
}

const untouched = async (account: TestAccount) =>
  expect(await balanceOf(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000 });

describe("an answer by a schema", () => {
  it("is the model's JSON, in one piece of the stream", async () => {
    const { account, sessionId, asked, row } = await ask({ answer: RIGHT, chunkCharacters: 3 });
    expect(row).toMatchObject({ status: "completed", output: RIGHT, output_type: "text", output_schema: INVOICE });
    const events = await eventsOf(account, sessionId);
    expect(streamedText(events)).toBe(RIGHT);
    expect(events.filter(({ event }) => event === "chunk")).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it("is asked for in the protocol's way and in words, without tools", async () => {
    const { asked } = await ask({ answer: RIGHT });
    const [request] = asked;
    expect(request?.body.response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "answer", schema: INVOICE, strict: true },
    });
    expect(JSON.stringify(request?.messages[0])).toContain("fits this JSON Schema");
    expect(request?.body.tools).toBeUndefined();
  });

  it("goes back to the model with what is wrong, and costs what all tries used", async () => {
    const { sessionId, account, asked, row } = await ask(
      inTurn("Twelve fifty.", WRONG, `\`\`\`json\n${RIGHT}\n\`\`\``),
    );
    expect(row).toMatchObject({ status: "completed", output: RIGHT });
    expect(streamedText(await eventsOf(account, sessionId))).toBe(RIGHT);
    expect(asked.map(({ messages }) => messages.length)).toEqual([2, 4, 6]);
    expect(asked[1]?.lastUserText).toContain("It is not JSON");
    expect(asked[2]?.lastUserText).toContain("#/total");
    expect(new Set(asked.map(({ headers }) => headers["idempotency-key"])).size).toBe(3);
    expect(row.credits_used).toBe(creditsFor("gpt-4.1-mini", row.tokens_in, row.tokens_out));
    expect(row.tokens_in).toBeGreaterThan(3 * 100);
  });

  it("fails for good, says why and charges nothing when none of three fits", async () => {
    const { account, sessionId, asked, row } = await ask({ answer: WRONG });
    expect(asked).toHaveLength(3);
    expect(row).toMatchObject({ status: "failed", error_code: "OUTPUT_SCHEMA_NOT_MET", output: null });
    expect(row.error_message).toContain("#/total");
    expect(streamedText(await eventsOf(account, sessionId))).toBe("");
    await untouched(account);
  });

  it.each([
    ["length", "longer than the AI model's answers"],
    ["content_filter", "content filter held part"],
  ])("fails when it is cut, without another try: %s", async (finishReason, words) => {
    const { account, asked, row } = await ask({ answer: '{"total": 12.', finishReason });
    expect(asked).toHaveLength(1);
    expect(row).toMatchObject({ error_code: "OUTPUT_SCHEMA_NOT_MET", error_message: expect.stringContaining(words) });
    await untouched(account);
  });

  it("fails with MAX_CREDITS_REACHED where the call's own limit cut it", async () => {
    const { account, row } = await ask(
      { answer: '{"total": 12.', finishReason: "length" },
      { maxCredits: 1, creditsToReserve: 1 },
    );
    expect(row).toMatchObject({ status: "failed", error_code: "MAX_CREDITS_REACHED" });
    await untouched(account);
  });

  it("is not asked for again once the tries before used up what may be spent", async () => {
    const limit = { maxCredits: 3, creditsToReserve: 3 };
    const { account, asked, row } = await ask({ answer: "wrong ".repeat(9_000) }, limit);
    expect(asked).toHaveLength(1);
    expect(row).toMatchObject({ status: "failed", error_code: "MAX_CREDITS_REACHED" });
    await untouched(account);
  });

  it("may be shorter with each try, for all of them are paid for", async () => {
    const { asked, row } = await ask({ answer: "wrong ".repeat(300) }, { maxCredits: 3, creditsToReserve: 3 });
    expect(row.error_code).toBe("OUTPUT_SCHEMA_NOT_MET");
    const [first = 0, second = 0, third = 0] = asked.map(({ body }) => Number(body.max_completion_tokens));
    expect(third).toBeGreaterThan(0);
    expect([first - second, second - third].every((less) => less >= 300)).toBe(true);
  });

  it("is of its turn alone: the next one is answered in words", async () => {
    const { account, sessionId } = await ask({ answer: RIGHT });
    stage.model.setBehaviour({});
    const next = await acceptTurn(account.principal, message("And in words?", { sessionId }));
    await answerTurn(next.turnId, 0);
    const request = stage.model.journal.at(-1);
    expect(request?.body.response_format).toBeUndefined();
    expect(JSON.stringify(request?.messages[0])).not.toContain("JSON Schema");
    expect(JSON.stringify(request?.messages)).toContain("12.50");
    expect(await readRow("turns", next.turnId)).toMatchObject({ output: "Echo: And in words?" });
  });
});

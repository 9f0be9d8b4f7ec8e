import { describe, expect, it } from "vitest";
import { NOTHING_LEFT, readRemains, startTurn, useOutputStage, VIDEO_ORDER } from "@/e2e/support/output-stage";
import { createTestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn } from "@/e2e/support/test-turns";
import { readRow } from "@/e2e/support/turn-reads";
import type { OutputOrder } from "@/lib/ai/tools/output-order";
import { db } from "@/lib/db/pool";
import { checkBooks } from "@/lib/services/credits/check-books";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { orderOutput } from "@/lib/services/turns/outputs/order-output";
import type { OrderingAnswer } from "@/lib/services/turns/outputs/turn-output";
import { TurnLostError } from "@/lib/services/turns/turn-writer";

/** 40 credits, and one for the answer that ordered it. */
const VIDEO: OutputOrder = {
  tool: "create_video",
  model: "sora-2",
  prompt: "a wave",
  seconds: 4,
  shape: "landscape",
};
const ANSWER: OrderingAnswer = {
  model: "gpt-4.1-mini",
  tokensIn: 1,
  tokensOut: 1,
  soundCredits: 0,
  context: {} as OrderingAnswer["context"],
  leftOut: 0,
};

const stage = useOutputStage();

describe("a model that knows no tools", () => {
  it("answers in text all the same, and is not offered them again", async () => {
    stage.model.setBehaviour((request) => ({ isWithoutTools: request.model === "small" }));
    for (const words of ["Hello", "Again"]) {
      const started = await startTurn(words);
      await db().query("UPDATE projects SET model = 'small' WHERE id = $1", [started.account.projectId]);
      await answerTurn(started.turnId, 0);
      expect((await readRow("sessions", started.sessionId)).last_output).toBe(`Echo: ${words}`);
    }
    expect(stage.model.journal.map(({ body }) => "tools" in body)).toEqual([true, false, false]);
  });
});

describe("an order that cannot be carried out", () => {
  it.each([
    ["create_image", '{"prompt":""}'],
    ["create_image", '{"prompt":"x","size":"9999x9999"}'],
    ["create_image", '{"prompt":'],
    ["create_speech", JSON.stringify({ text: "x".repeat(4_097) })],
    ["create_video", '{"prompt":"x","seconds":3600}'],
    ["delete_everything", "{}"],
    ["__proto__", "{}"],
    ["functions.create_image", "{}"],
    ["", "{}"],
    ["x".repeat(100), "{}"],
  ])("%s %s goes back to the model with the reason, which then answers in text", async (name, argumentsText) => {
    stage.model.setBehaviour({ toolCalls: [{ name, argumentsText }], chunkCharacters: 9 });
    const started = await startTurn("Do it");
    await answerTurn(started.turnId, 0);
    expect(await readRow("sessions", started.sessionId)).toMatchObject({
      status: "completed",
      last_output: "Echo: Do it",
      output_type: "text",
    });
    expect(stage.pathsAsked()).toEqual(["/v1/chat/completions", "/v1/chat/completions"]);
    const answer = stage.model.journal[1]?.messages.at(-1);
    expect(answer).toMatchObject({ role: "tool", content: expect.stringMatching(/no such tool|Nothing was made/) });
    const call = stage.model.journal[1]?.messages.at(-2)?.tool_calls?.[0];
    expect(call?.id).toBe(answer?.tool_call_id);
    expect(call?.function.name, "as providers want the name of a tool").toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect((await readRow("turns", started.turnId)).tokens_in).toBeGreaterThan(100);
  });

  it("is corrected by the model, and made", async () => {
    stage.model.setBehaviour((request) => {
      const isSecond = request.messages.at(-1)?.role === "tool";
      const argumentsText = isSecond ? '{"prompt":"a hut"}' : '{"prompt":7}';
      return { toolCalls: [{ name: "create_image", argumentsText }], areToolsCalledAgain: true };
    });
    const started = await startTurn("A hut, please");
    await answerTurn(started.turnId, 0);
    expect((await readRow("sessions", started.sessionId)).output_type).toBe("image");
  });

  it("again and again ends in a call for text alone", async () => {
    const wrong = [{ name: "create_image", argumentsText: "{}" }];
    stage.model.setBehaviour({ toolCalls: wrong, areToolsCalledAgain: true });
    const started = await startTurn("Once more");
    await answerTurn(started.turnId, 0);
    expect((await readRow("sessions", started.sessionId)).last_output).toBe("Echo: Once more");
    expect(stage.model.journal.map(({ body }) => body.tool_choice)).toEqual([undefined, undefined, "none"]);
  });

  it("leaves the turn as it is when the model then fails", async () => {
    stage.model.setBehaviour((request) =>
      request.messages.at(-1)?.role === "tool"
        ? { fault: { kind: "status", status: 500 } }
        : { toolCalls: [{ name: "create_image", argumentsText: "{}" }] },
    );
    const started = await startTurn("Fail after the tool");
    expect(await answerTurn(started.turnId, 0)).toMatchObject({ status: "retry", reason: "MODEL_UNAVAILABLE" });
    await answerTurn(started.turnId, 2);
    expect((await readRow("sessions", started.sessionId)).error_code).toBe("MODEL_UNAVAILABLE");
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
  });
});

describe("credits", () => {
  it("bound what is ordered by maxCredits, before anything is made", async () => {
    const started = await startTurn(VIDEO_ORDER, { maxCredits: 40 });
    await answerTurn(started.turnId, 0);
    expect(await readRow("sessions", started.sessionId)).toMatchObject({
      error_code: "MAX_CREDITS_REACHED",
      error_message: expect.stringContaining("41 credits"),
    });
    expect(stage.pathsAsked()).toEqual(["/v1/chat/completions"]);
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
  });

  it("are promised in full, so that orders at once never take more than there is", async () => {
    const account = await createTestAccount({ credits: 100 });
    const turns = await Promise.all(
      [1, 2, 3].map((n) => acceptTurn(account.principal, chatTurn({ input: `${n} ${VIDEO_ORDER}` }))),
    );
    await Promise.all(turns.map(({ turnId }) => answerTurn(turnId, 0)));
    const codes = await Promise.all(
      turns.map(async ({ sessionId }) => (await readRow("sessions", sessionId)).error_code),
    );
    expect(codes.toSorted()).toEqual(["INSUFFICIENT_CREDITS", null, null].toSorted());
    expect(stage.countOf("/v1/videos")).toBe(2);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, balance: 100, reserved: 82 });
    for (const { sessionId } of turns) await cancelTurns(sessionId);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, balance: 100, reserved: 0 });
  });

  it("of what a turn has heard already count in what is promised, and in maxCredits to the last one", async () => {
    const heard = { ...ANSWER, soundCredits: 7 };
    const cheap = await startTurn("A wave", { maxCredits: 47 });
    const refused = orderOutput(await claimedTurn(cheap.turnId), VIDEO, heard);
    await expect(refused).rejects.toThrow(/48 credits, more than maxCredits \(47\)/);
    const started = await startTurn("A wave", { maxCredits: 48 });
    await orderOutput(await claimedTurn(started.turnId), VIDEO, heard);
    expect(await readRemains(started)).toMatchObject({ rows: { orders: 1 }, books: { isClean: true, reserved: 48 } });
  });

  it("of what a turn has heard are charged with what is made", async () => {
    const started = await startTurn("Good morning");
    const speech: OutputOrder = {
      tool: "create_speech",
      model: "gpt-4o-mini-tts",
      text: "Good morning",
    };
    await orderOutput(await claimedTurn(started.turnId), speech, { ...ANSWER, soundCredits: 7 });
    const { credits_reserved: promised } = await readRow("turns", started.turnId);
    expect(promised).toBeGreaterThan(7);
    expect(await answerTurn(started.turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("sessions", started.sessionId)).toMatchObject({
      output_type: "audio",
      credits_used: promised,
    });
  });

  it("are promised once where an order was written down unheard, and is written again", async () => {
    const started = await startTurn("A wave");
    const turn = await claimedTurn(started.turnId);
    await orderOutput(turn, VIDEO, ANSWER);
    await orderOutput(turn, VIDEO, ANSWER);
    expect(await readRemains(started)).toMatchObject({ rows: { orders: 1 }, books: { isClean: true, reserved: 41 } });
  });

  it("are promised to no turn that ended since, which nobody would take back", async () => {
    const started = await startTurn("A wave");
    const turn = await claimedTurn(started.turnId);
    await cancelTurns(started.sessionId);
    await expect(orderOutput(turn, VIDEO, ANSWER)).rejects.toBeInstanceOf(TurnLostError);
    expect(await readRemains(started)).toMatchObject(NOTHING_LEFT);
  });

  it("are promised by the worker that has the turn now, and by no earlier one", async () => {
    const started = await startTurn("A wave");
    const [earlier, later] = [await claimedTurn(started.turnId), await claimedTurn(started.turnId)];
    await expect(orderOutput(earlier, VIDEO, ANSWER)).rejects.toBeInstanceOf(TurnLostError);
    expect(await readRemains(started)).toMatchObject({ rows: { orders: 0 }, books: { isClean: true, reserved: 1 } });
    await orderOutput(later, VIDEO, ANSWER);
    expect(await readRemains(started)).toMatchObject({ rows: { orders: 1 }, books: { isClean: true, reserved: 41 } });
  });
});

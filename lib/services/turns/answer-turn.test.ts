import { describe, expect, it, onTestFinished } from "vitest";
import { createTestAccount } from "@/e2e/support/test-account";
import { claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { balanceOf, eventsOf, readRow, streamedText } from "@/e2e/support/turn-reads";
import { message, useTurnStage } from "@/e2e/support/turn-stage";
import { db } from "@/lib/db/pool";
import { creditsFor } from "@/lib/domain/credits";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { abandonTurn, answerTurn } from "@/lib/services/turns/answer-turn";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";
import { TurnLostError, TurnWriter } from "@/lib/services/turns/turn-writer";

const stage = useTurnStage();

describe("answering", () => {
  it("streams text that joined is the output, charges once and ends with one terminal event", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("tell me [[size:3000]]"));
    const following = eventsOf(account, sessionId);
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    const all = await following;
    const session = await readRow("sessions", sessionId);
    expect(session).toMatchObject({ status: "completed", open_turns: 0, credits_used: expect.any(Number) });
    expect(streamedText(all)).toBe(session.last_output);
    expect(session.last_output).toHaveLength(3000);
    expect(all[0]).toMatchObject({ event: "status", data: { sessionId } });
    expect(all.filter(({ event }) => event === "completed" || event === "error")).toHaveLength(1);
    const { balance: left, reserved, ledger } = await balanceOf(account);
    expect({ left, reserved }).toEqual({ left: 1_000 - session.credits_used, reserved: 0 });
    expect(ledger).toBe(left);
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(await balanceOf(account)).toEqual({ balance: left, reserved: 0, ledger: left });
  });

  it("sends the conversation so far with the next turn", async () => {
    const account = await createTestAccount();
    const first = await acceptTurn(account.principal, message("my name is Ada", { fileContent: "city: Turin" }));
    await answerTurn(first.turnId, 0);
    const second = await acceptTurn(account.principal, message("what is my name?", { sessionId: first.sessionId }));
    await answerTurn(second.turnId, 0);
    const sent = stage.model.journal.findLast((request) => request.lastUserText.includes("what is my name?"));
    expect(sent?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(JSON.stringify(sent?.messages[1])).toContain("my name is Ada");
    expect(JSON.stringify(sent?.messages[1])).toContain("city: Turin");
  });

  it("starts anew behind a reset when a stream broke, and never doubles text or charge", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("go on [[break:1]] [[size:500]]"));
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "retry", delaySeconds: 1 });
    expect(await answerTurn(turnId, 1)).toEqual({ status: "ended" });
    const all = await eventsOf(account, sessionId);
    expect(all.filter(({ event }) => event === "reset")).toHaveLength(1);
    expect(streamedText(all)).toBe((await readRow("sessions", sessionId)).last_output);
    const { rows } = await db().query("SELECT count(*) AS charges FROM ledger_entries WHERE turn_id = $1", [turnId]);
    expect(rows[0].charges).toBe(1);
  });

  it("never doubles text where the database's clock is set back between two attempts", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("go back [[break:1]] [[size:500]]"));
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "retry" });
    await db().query("UPDATE turns SET started_at = started_at + interval '1 minute' WHERE id = $1", [turnId]);
    expect(await answerTurn(turnId, 1)).toEqual({ status: "ended" });
    const { last_output: output } = await readRow("sessions", sessionId);
    expect(streamedText(await eventsOf(account, sessionId))).toBe(output);
  });

  it.each([
    ["[[fail:429:9:3]]", "MODEL_RATE_LIMITED", [3, 3]],
    ["[[fail:500]]", "MODEL_UNAVAILABLE", [1, 1]],
    ["[[break]]", "MODEL_UNAVAILABLE", [1, 1]],
    ["[[malformed]]", "MODEL_UNAVAILABLE", [1, 1]],
    ["[[hang]]", "MODEL_TIMEOUT", [1, 1]],
    ["[[fail:401]]", "MODEL_NOT_CONFIGURED", []],
    ["[[fail:400]]", "MODEL_REJECTED", []],
  ])("fails clearly and without a charge after the retries of %s", async (order, code, delays) => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message(`please ${order} ${Math.random()}`));
    for (const [attempt, delaySeconds] of delays.entries()) {
      const outcome = await answerTurn(turnId, attempt);
      expect(outcome).toMatchObject({ status: "retry", delaySeconds: expect.any(Number) });
      const later = code === "MODEL_RATE_LIMITED" ? 1.2 : 1;
      expect("delaySeconds" in outcome && outcome.delaySeconds).toBeGreaterThanOrEqual(delaySeconds);
      expect("delaySeconds" in outcome && outcome.delaySeconds).toBeLessThanOrEqual(delaySeconds * later);
    }
    expect(await answerTurn(turnId, delays.length)).toEqual({ status: "ended" });
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "failed", error_code: code, credits_used: 0 });
    expect(await balanceOf(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000 });
    const all = await eventsOf(account, sessionId);
    expect(all.at(-1)).toMatchObject({ event: "error", data: { sessionId, error: { code } } });
  });

  it("waits for a provider's limit to pass where a receiver is told of the end, as long as the settings have patience", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(
      account.principal,
      message("please [[fail:429]] wait for it", { callbackUrl: "https://localhost/told" }),
    );
    const delays: number[] = [];
    for (let attempt = 0; ; attempt++) {
      const outcome = await answerTurn(turnId, attempt);
      if (outcome.status !== "retry") break;
      expect(outcome.reason).toBe("MODEL_RATE_LIMITED");
      delays.push(outcome.delaySeconds);
    }
    for (const delay of delays.slice(0, 2)) expect(delay).toBeLessThanOrEqual(1.2);
    expect(delays.length).toBeGreaterThan(8);
    const waited = delays.slice(2).reduce((sum, seconds) => sum + seconds, 0);
    expect(waited).toBeGreaterThan(800);
    expect(waited).toBeLessThanOrEqual(2_400);
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "failed", error_code: "MODEL_RATE_LIMITED" });
    expect(await balanceOf(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000 });
    const { rows } = await db().query(
      "SELECT data - 'sessionId' AS data FROM session_events WHERE turn_id = $1 AND type = 'progress' ORDER BY seq",
      [turnId],
    );
    expect(rows).toHaveLength(delays.length - 2);
    expect(rows[0].data).toEqual({ stage: "limited", done: 3, total: delays.length + 1, covers: "" });
  });

  it.each([
    [2, "completed", null],
    [3, "failed", "MODEL_UNAVAILABLE"],
  ])(
    "has all its tries left for what fails behind a limit: %i of such failures, and it is %s",
    async (failures, status, code) => {
      const LIMITED = 4;
      const statuses = [...Array<number>(LIMITED).fill(429), ...Array<number>(failures).fill(502)];
      stage.model.setBehaviour(() => {
        const refusal = statuses.shift();
        return refusal === undefined ? {} : { fault: { kind: "status", status: refusal } };
      });
      onTestFinished(() => stage.model.setBehaviour({}));
      const account = await createTestAccount();
      const turn = message("please wait for it", { callbackUrl: "https://localhost/told" });
      const { sessionId, turnId } = await acceptTurn(account.principal, turn);
      const reasons: string[] = [];
      for (let attempt = 0; ; attempt++) {
        const outcome = await answerTurn(turnId, attempt);
        if (outcome.status !== "retry") break;
        reasons.push(outcome.reason);
      }
      const UNAVAILABLE = ["MODEL_UNAVAILABLE", "MODEL_UNAVAILABLE"];
      expect(reasons).toEqual([...Array<string>(LIMITED).fill("MODEL_RATE_LIMITED"), ...UNAVAILABLE]);
      expect(await readRow("sessions", sessionId)).toMatchObject({ status, error_code: code });
    },
  );

  it("fails rather than cost more than maxCredits", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(
      account.principal,
      message("x ".repeat(8_000), { maxCredits: 1, creditsToReserve: 1 }),
    );
    await answerTurn(turnId, 0);
    expect(await readRow("sessions", sessionId)).toMatchObject({
      status: "failed",
      error_code: "MAX_CREDITS_REACHED",
      credits_used: 0,
    });
  });

  it.each([
    [undefined, "INSUFFICIENT_CREDITS"],
    [2, "MAX_CREDITS_REACHED"],
    [50, "INSUFFICIENT_CREDITS"],
  ])("asks no model when the input alone costs all that is there, with maxCredits %s", async (maxCredits, code) => {
    const account = await createTestAccount({ credits: 3 });
    const marker = `too-dear-${maxCredits}`;
    const { sessionId, turnId } = await acceptTurn(
      account.principal,
      message(`${marker} ${"word ".repeat(20_000)}`, { maxCredits }),
    );
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "failed", error_code: code, credits_used: 0 });
    expect(await balanceOf(account)).toEqual({ balance: 3, reserved: 0, ledger: 3 });
    expect(stage.model.journal.filter(({ lastUserText }) => lastUserText.includes(marker))).toEqual([]);
  });

  it("asks for no longer answer than what is left pays for", async () => {
    const account = await createTestAccount({ credits: 3 });
    const { turnId } = await acceptTurn(account.principal, message(`just-enough ${"word ".repeat(4_000)}`));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    const asked = stage.model.journal.findLast(({ lastUserText }) => lastUserText.includes("just-enough"));
    const { max_completion_tokens: longest } = (asked?.body ?? {}) as { max_completion_tokens: number };
    expect(longest).toBeGreaterThan(0);
    expect(creditsFor("gpt-4.1-mini", 4_000, longest)).toBeLessThanOrEqual(3);
    expect((await balanceOf(account)).reserved).toBe(0);
  });

  it.each([
    ["credits", 3, undefined, "[[finish:length]]"],
    ["credits", 3, 50, "[[finish:length]]"],
    ["length", 1_000, undefined, "[[finish:length]]"],
    ["filter", 1_000, undefined, "[[finish:content_filter]]"],
    [undefined, 1_000, undefined, ""],
  ])("says of an answer why it ends before it is done: %s", async (outputCut, credits, maxCredits, order) => {
    const account = await createTestAccount({ credits });
    const text = `cut-${credits}-${maxCredits} ${order} ${"word ".repeat(4_000)}`;
    const { sessionId, turnId } = await acceptTurn(account.principal, message(text, { maxCredits }));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    const { data } = (await eventsOf(account, sessionId)).at(-1) ?? {};
    expect(data).toMatchObject({ type: "completion" });
    expect(data).toEqual(
      outputCut
        ? expect.objectContaining({ outputCut })
        : expect.not.objectContaining({ outputCut: expect.anything() }),
    );
    expect((await getChatSession(account.principal, sessionId)).context?.outputCut).toBe(outputCut);
  });

  it("that the model refuses leaves behind what it was asked", async () => {
    const account = await createTestAccount();
    const { turnId } = await acceptTurn(account.principal, message("Hello [[fail:400]]"));
    await answerTurn(turnId, 0);
    const { status, context } = await readRow("turns", turnId);
    expect(status).toBe("failed");
    expect(context).toMatchObject({ model: expect.any(String), tokens: { total: expect.any(Number) }, files: [] });
  });

  it.each([
    ["INSUFFICIENT_CREDITS", 3, "length"],
    ["MODEL_REJECTED", 1_000, "length"],
    ["MODEL_REJECTED", 1_000, "content_filter"],
  ])("fails with %s and charges nothing of %i credits when %s ends an answer that said nothing", async (...given) => {
    const [code, credits, finish] = given;
    const account = await createTestAccount({ credits });
    const text = `[[answer: ]] [[finish:${finish}]] ${"word ".repeat(4_000)}`;
    const { sessionId, turnId } = await acceptTurn(account.principal, message(text));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "failed", error_code: code, credits_used: 0 });
    expect(await balanceOf(account)).toEqual({ balance: credits, reserved: 0, ledger: credits });
  });

  it("fails a cut answer by whose limit cut it", async () => {
    const account = await createTestAccount();
    // What it says costs less than it may.
    const text = `cut-by-call [[answer:Short.]] [[finish:length]] ${"word ".repeat(2_000)}`;
    const { sessionId, turnId } = await acceptTurn(account.principal, message(text, { maxCredits: 2 }));
    await answerTurn(turnId, 0);
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "failed", error_code: "MAX_CREDITS_REACHED" });
  });

  it("charges at most what the account has", async () => {
    const account = await createTestAccount({ credits: 2 });
    const { turnId } = await acceptTurn(account.principal, message("hi", { creditsToReserve: 1 }));
    const { generation } = await claimedTurn(turnId);
    await endTurn(turnId, generation, completedEnd({ credits: 50 }));
    expect(await balanceOf(account)).toEqual({ balance: 0, reserved: 0, ledger: 0 });
  });
});

describe("two workers on one turn", () => {
  it("lets only the later one write, and only one end it", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("race"));
    const earlier = await claimedTurn(turnId);
    const later = await claimedTurn(turnId);
    const stale = new TurnWriter(earlier);
    stale.push("stale text");
    await expect(stale.finish()).rejects.toBeInstanceOf(TurnLostError);
    await stale.close();
    expect(stale.signal.aborted).toBe(true);
    const end = completedEnd();
    expect(await endTurn(turnId, earlier.generation, end)).toBe(false);
    const ended = await Promise.all([...Array(8)].map(() => endTurn(turnId, later.generation, end)));
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect(await balanceOf(account)).toEqual({ balance: 999, reserved: 0, ledger: 999 });
    expect((await eventsOf(account, sessionId)).filter(({ event }) => event === "completed")).toHaveLength(1);
  });

  it("abandons a turn that the queue gave up on, and leaves one that has ended", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("lost"));
    await abandonTurn(turnId);
    await abandonTurn(turnId);
    expect(await readRow("sessions", sessionId)).toMatchObject({
      status: "failed",
      error_code: "INTERNAL_ERROR",
      open_turns: 0,
    });
    expect((await balanceOf(account)).reserved).toBe(0);
  });
});

describe("the sweep", () => {
  it("hands over again what nobody works on, once, and leaves what lives", async () => {
    const account = await createTestAccount();
    const { turnId } = await acceptTurn(account.principal, message("sweep me"));
    const alive = await acceptTurn(account.principal, message("alive"));
    await claimTurn(turnId);
    await claimTurn(alive.turnId);
    await db().query("DELETE FROM outbox_events");
    await db().query("UPDATE turns SET heartbeat_at = now() - interval '5 minutes' WHERE id = $1", [turnId]);
    await redispatchTurns(60);
    expect(await redispatchTurns(60)).toBe(0);
    const { rows } = await db().query("SELECT data->>'turnId' AS id FROM outbox_events");
    expect(rows).toEqual([{ id: turnId }]);
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect((await readRow("turns", turnId)).status).toBe("completed");
  });

  it("leaves a turn alone whose next try is still to come", async () => {
    const account = await createTestAccount();
    const { turnId } = await acceptTurn(account.principal, message("please [[fail:429:9:100]] wait"));
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "retry", delaySeconds: expect.closeTo(110, -1.4) });
    await db().query("DELETE FROM outbox_events");
    await redispatchTurns(0);
    const { rows } = await db().query("SELECT 1 FROM outbox_events WHERE data->>'turnId' = $1", [turnId]);
    expect(rows).toEqual([]);
  });
});

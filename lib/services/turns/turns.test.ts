import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { creditsFor } from "@/lib/domain/credits";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { openSessionStream, type SessionStream, type StreamEvent } from "@/lib/services/sessions/stream-session";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { abandonTurn, answerTurn } from "@/lib/services/turns/answer-turn";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";
import type { TurnInput } from "@/lib/services/turns/turn-input";
import { TurnLostError, TurnWriter } from "@/lib/services/turns/turn-writer";

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
});
useServiceDatabase(() => ({
  OPENAI_BASE_URL: model.baseUrl,
  MODEL_RETRY_DELAYS_SECONDS: "1,1",
  MODEL_IDLE_TIMEOUT_SECONDS: "0.5",
}));

afterAll(async () => {
  await sessionHub().close();
  await model.stop();
});

const message = (input: string, more: Partial<TurnInput> = {}) => chatTurn({ input, ...more });

async function balance(account: TestAccount) {
  const { rows } = await db().query(
    `SELECT credit_balance AS balance, credit_reserved AS reserved,
            (SELECT coalesce(sum(amount), 0) FROM ledger_entries l WHERE l.account_id = a.id) AS ledger
     FROM accounts a WHERE id = $1`,
    [account.accountId],
  );
  return rows[0] as { balance: number; reserved: number; ledger: number };
}

/** All of the plan `free`. @param ago how long before the present month */
async function useUpTokens({ accountId }: TestAccount, ago: string): Promise<void> {
  await db().query(
    `INSERT INTO account_periods (account_id, period_start, tokens_used)
     VALUES ($1, date_trunc('month', now() AT TIME ZONE 'UTC') - $2::interval, 100000)`,
    [accountId, ago],
  );
}

async function row(table: "sessions" | "turns", id: string) {
  const { rows } = await db().query(`SELECT * FROM ${table} WHERE id = $1`, [id]);
  return rows[0];
}

async function events(account: TestAccount, sessionId: string, after?: number): Promise<StreamEvent[]> {
  return readToEnd(await openSessionStream(account.principal, sessionId, { ...(after !== undefined && { after }) }));
}

async function readToEnd(stream: SessionStream | null): Promise<StreamEvent[]> {
  const abort = new AbortController();
  const all: StreamEvent[] = [];
  for await (const event of stream?.(abort.signal) ?? []) all.push(event);
  abort.abort();
  return all;
}

function textOf(all: StreamEvent[]): string {
  let text = "";
  for (const { event, data } of all) {
    if (event === "reset") text = "";
    if (event === "chunk") text += (data as { delta: string }).delta;
  }
  return text;
}

describe("accepting", () => {
  it("accepts exactly as many calls at once as there are credits, and never goes below zero", async () => {
    const account = await createTestAccount({ credits: 20 });
    const results = await Promise.allSettled([...Array(100)].map(() => acceptTurn(account.principal, message("hi"))));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason.code).toBe("INSUFFICIENT_CREDITS");
    expect(await balance(account)).toEqual({ balance: 20, reserved: 20, ledger: 20 });
  });

  it("refuses when the plan's tokens of the month are used up, also what continues a session", async () => {
    const account = await createTestAccount({ planId: "free" });
    const { sessionId } = await acceptTurn(account.principal, message("in time"));
    await useUpTokens(account, "0 months");
    for (const late of [message("hi"), message("hi", { sessionId })]) {
      await expect(acceptTurn(account.principal, late)).rejects.toMatchObject({ code: "TOKEN_LIMIT_REACHED" });
    }
    expect((await balance(account)).reserved, "of the one in time").toBe(1);
  });

  it("takes calls again once the month is over in which the plan's tokens were used up", async () => {
    const account = await createTestAccount({ planId: "free" });
    await useUpTokens(account, "1 month");
    const { sessionId } = await acceptTurn(account.principal, message("hi"));
    expect(await acceptTurn(account.principal, message("hi", { sessionId }))).toMatchObject({ status: "resumed" });
  });

  it("writes session, turn, message, end user and outbox row together", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId, status } = await acceptTurn(account.principal, message("hello", { endUserId: "ada" }));
    expect(status).toBe("started");
    const { rows } = await db().query(
      `SELECT (SELECT count(*) FROM messages WHERE session_id = $1) AS messages,
              (SELECT count(*) FROM end_users WHERE project_id = $2 AND end_user_id = 'ada') AS end_users,
              (SELECT count(*) FROM outbox_events WHERE data->>'turnId' = $3) AS outbox`,
      [sessionId, account.projectId, turnId],
    );
    expect(rows[0]).toEqual({ messages: 1, end_users: 1, outbox: 1 });
  });

  it("answers the same for a missing session, another tenant's and another end user's", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    const { sessionId } = await acceptTurn(theirs.principal, message("secret"));
    const own = await acceptTurn(mine.principal, message("hi", { endUserId: "ada" }));
    const plain = await acceptTurn(mine.principal, message("hi"));
    const attempts = [
      message("x", { sessionId }),
      message("x", { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" }),
      message("x", { sessionId: own.sessionId, endUserId: "bob" }),
      message("x", { sessionId: plain.sessionId, endUserId: "bob" }),
    ];
    for (const attempt of attempts) {
      await expect(acceptTurn(mine.principal, attempt)).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "The session was not found.",
      });
    }
    expect((await balance(mine)).reserved).toBe(2);
  });

  it("speaks of the credits that are missing before it speaks of the session", async () => {
    const { principal } = await createTestAccount({ credits: 0 });
    const refused = acceptTurn(principal, message("hello", { sessionId: "ses_01k8z3v5n6f0mve1q5t9d2x7ab" }));
    await expect(refused).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS" });
  });

  it("hands only the oldest open turn of a session to the queue", async () => {
    const account = await createTestAccount();
    const first = await acceptTurn(account.principal, message("one"));
    const others = await Promise.all(
      ["two", "three", "four"].map((text) =>
        acceptTurn(account.principal, message(text, { sessionId: first.sessionId })),
      ),
    );
    const handed = async () =>
      (
        await db().query(`SELECT data->>'turnId' AS id FROM outbox_events WHERE data->>'sessionId' = $1`, [
          first.sessionId,
        ])
      ).rows.map((r) => r.id);
    expect(await handed()).toEqual([first.turnId]);
    expect(await claimTurn(others[0]?.turnId ?? "")).toBeNull();
    await answerTurn(first.turnId, 0);
    expect(await handed()).toHaveLength(2);
    expect((await row("sessions", first.sessionId)).status).toBe("resumed");
  });
});

describe("answering", () => {
  it("streams text that joined is the output, charges once and ends with one terminal event", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("tell me [[size:3000]]"));
    const following = events(account, sessionId);
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    const all = await following;
    const session = await row("sessions", sessionId);
    expect(session).toMatchObject({ status: "completed", open_turns: 0, credits_used: expect.any(Number) });
    expect(textOf(all)).toBe(session.last_output);
    expect(session.last_output).toHaveLength(3000);
    expect(all[0]).toMatchObject({ event: "status", data: { sessionId } });
    expect(all.filter(({ event }) => event === "completed" || event === "error")).toHaveLength(1);
    const { balance: left, reserved, ledger } = await balance(account);
    expect({ left, reserved }).toEqual({ left: 1_000 - session.credits_used, reserved: 0 });
    expect(ledger).toBe(left);
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(await balance(account)).toEqual({ balance: left, reserved: 0, ledger: left });
  });

  it("sends the conversation so far with the next turn", async () => {
    const account = await createTestAccount();
    const first = await acceptTurn(account.principal, message("my name is Ada", { fileContent: "city: Turin" }));
    await answerTurn(first.turnId, 0);
    const second = await acceptTurn(account.principal, message("what is my name?", { sessionId: first.sessionId }));
    await answerTurn(second.turnId, 0);
    const sent = model.journal.findLast((request) => request.lastUserText.includes("what is my name?"));
    expect(sent?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(JSON.stringify(sent?.messages[1])).toContain("my name is Ada");
    expect(JSON.stringify(sent?.messages[1])).toContain("city: Turin");
  });

  it("starts anew behind a reset when a stream broke, and never doubles text or charge", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("go on [[break:1]] [[size:500]]"));
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "retry", delaySeconds: 1 });
    expect(await answerTurn(turnId, 1)).toEqual({ status: "ended" });
    const all = await events(account, sessionId);
    expect(all.filter(({ event }) => event === "reset")).toHaveLength(1);
    expect(textOf(all)).toBe((await row("sessions", sessionId)).last_output);
    const { rows } = await db().query("SELECT count(*) AS charges FROM ledger_entries WHERE turn_id = $1", [turnId]);
    expect(rows[0].charges).toBe(1);
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
      expect(await answerTurn(turnId, attempt)).toMatchObject({ status: "retry", delaySeconds });
    }
    expect(await answerTurn(turnId, delays.length)).toEqual({ status: "ended" });
    expect(await row("sessions", sessionId)).toMatchObject({ status: "failed", error_code: code, credits_used: 0 });
    expect(await balance(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000 });
    const all = await events(account, sessionId);
    expect(all.at(-1)).toMatchObject({ event: "error", data: { sessionId, error: { code } } });
  });

  it("fails rather than cost more than maxCredits", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(
      account.principal,
      message("x ".repeat(8_000), { maxCredits: 1, creditsToReserve: 1 }),
    );
    await answerTurn(turnId, 0);
    expect(await row("sessions", sessionId)).toMatchObject({
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
    expect(await row("sessions", sessionId)).toMatchObject({ status: "failed", error_code: code, credits_used: 0 });
    expect(await balance(account)).toEqual({ balance: 3, reserved: 0, ledger: 3 });
    expect(model.journal.filter(({ lastUserText }) => lastUserText.includes(marker))).toEqual([]);
  });

  it("asks for no longer answer than what is left pays for", async () => {
    const account = await createTestAccount({ credits: 3 });
    const { turnId } = await acceptTurn(account.principal, message(`just-enough ${"word ".repeat(4_000)}`));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    const asked = model.journal.findLast(({ lastUserText }) => lastUserText.includes("just-enough"));
    const { max_completion_tokens: longest } = (asked?.body ?? {}) as { max_completion_tokens: number };
    expect(longest).toBeGreaterThan(0);
    expect(creditsFor("gpt-4.1-mini", 4_000, longest)).toBeLessThanOrEqual(3);
    expect((await balance(account)).reserved).toBe(0);
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
    const { data } = (await events(account, sessionId)).at(-1) ?? {};
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
    const { status, context } = await row("turns", turnId);
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
    expect(await row("sessions", sessionId)).toMatchObject({ status: "failed", error_code: code, credits_used: 0 });
    expect(await balance(account)).toEqual({ balance: credits, reserved: 0, ledger: credits });
  });

  it("fails a cut answer by whose limit cut it", async () => {
    const account = await createTestAccount();
    // What it says costs less than it may.
    const text = `cut-by-call [[answer:Short.]] [[finish:length]] ${"word ".repeat(2_000)}`;
    const { sessionId, turnId } = await acceptTurn(account.principal, message(text, { maxCredits: 2 }));
    await answerTurn(turnId, 0);
    expect(await row("sessions", sessionId)).toMatchObject({ status: "failed", error_code: "MAX_CREDITS_REACHED" });
  });

  it("charges at most what the account has", async () => {
    const account = await createTestAccount({ credits: 2 });
    const { turnId } = await acceptTurn(account.principal, message("hi", { creditsToReserve: 1 }));
    const { generation } = await claimedTurn(turnId);
    await endTurn(turnId, generation, completedEnd({ credits: 50 }));
    expect(await balance(account)).toEqual({ balance: 0, reserved: 0, ledger: 0 });
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
    expect(await balance(account)).toEqual({ balance: 999, reserved: 0, ledger: 999 });
    expect((await events(account, sessionId)).filter(({ event }) => event === "completed")).toHaveLength(1);
  });

  it("abandons a turn that the queue gave up on, and leaves one that has ended", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("lost"));
    await abandonTurn(turnId);
    await abandonTurn(turnId);
    expect(await row("sessions", sessionId)).toMatchObject({
      status: "failed",
      error_code: "INTERNAL_ERROR",
      open_turns: 0,
    });
    expect((await balance(account)).reserved).toBe(0);
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
    expect((await row("turns", turnId)).status).toBe("completed");
  });

  it("leaves a turn alone whose next try is still to come", async () => {
    const account = await createTestAccount();
    const { turnId } = await acceptTurn(account.principal, message("please [[fail:429:9:100]] wait"));
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "retry", delaySeconds: 100 });
    await db().query("DELETE FROM outbox_events");
    await redispatchTurns(0);
    const { rows } = await db().query("SELECT 1 FROM outbox_events WHERE data->>'turnId' = $1", [turnId]);
    expect(rows).toEqual([]);
  });
});

describe("the stream", () => {
  it("goes on after an event with no gap and no repeat", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(
      account.principal,
      message("long [[size:400]] [[chunk:10]] [[slow:2ms]]"),
    );
    await answerTurn(turnId, 0);
    const whole = (await events(account, sessionId)).filter(({ id }) => id !== undefined);
    expect(whole.length).toBeGreaterThan(3);
    for (const { id } of whole.slice(0, -1)) {
      const rest = (await events(account, sessionId, id)).filter((event) => event.id !== undefined);
      expect(rest).toEqual(whole.filter((event) => (event.id ?? 0) > (id ?? 0)));
    }
    expect(await openSessionStream(account.principal, sessionId, { after: whole.at(-1)?.id ?? 0 })).toBeNull();
  });

  it("ends with its turn, also for a client that names an event which is still to come", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("[[answer:here]]"));
    const stream = await openSessionStream(account.principal, sessionId, { after: 1_000 });
    await answerTurn(turnId, 0);
    expect(await readToEnd(stream)).toEqual([
      { event: "status", data: { sessionId, status: "started" } },
      ...(await events(account, sessionId)).slice(1),
    ]);
  });

  it("covers the latest turn alone", async () => {
    const account = await createTestAccount();
    const first = await acceptTurn(account.principal, message("[[answer:first]]"));
    await answerTurn(first.turnId, 0);
    const second = await acceptTurn(account.principal, message("[[answer:second]]", { sessionId: first.sessionId }));
    await answerTurn(second.turnId, 0);
    expect(textOf(await events(account, first.sessionId))).toBe("second");
  });

  it("says nothing of the turn before, which is answered while it waits", async () => {
    const account = await createTestAccount();
    const first = await acceptTurn(account.principal, message("[[answer:first]]"));
    const second = await acceptTurn(account.principal, message("[[answer:second]]", { sessionId: first.sessionId }));
    const stream = await openSessionStream(account.principal, first.sessionId, {});
    await answerTurn(first.turnId, 0);
    await answerTurn(second.turnId, 0);
    expect(textOf(await readToEnd(stream))).toBe("second");
  });

  it("survives the loss of its listening connection", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await acceptTurn(account.principal, message("still there [[size:200]]"));
    const following = events(account, sessionId);
    await expect
      .poll(
        async () =>
          (
            await db().query(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'service-listen' AND datname = current_database()",
            )
          ).rowCount,
      )
      .toBeGreaterThan(0);
    await answerTurn(turnId, 0);
    expect(textOf(await following)).toBe((await row("sessions", sessionId)).last_output);
  });
});

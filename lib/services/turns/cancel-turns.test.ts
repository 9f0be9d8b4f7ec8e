import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { readBooks } from "@/e2e/support/books";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn } from "@/e2e/support/test-turns";
import { db, inTransaction } from "@/lib/db/pool";
import { cancelChatSession } from "@/lib/services/chat/cancel-chat-session";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { type AcceptedTurn, acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { appendEvent } from "@/lib/services/turns/append-event";
import { claimTurn } from "@/lib/services/turns/claim-turn";
import { turnStops } from "@/lib/services/turns/turn-stops";
import { TurnWriter } from "@/lib/services/turns/turn-writer";

const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

let model: ModelServer;

beforeAll(async () => {
  model = await startModelServer();
});
const database = useServiceDatabase(() => ({
  OPENAI_BASE_URL: model.baseUrl,
  MODEL_RETRY_DELAYS_SECONDS: "1,1",
  MODEL_IDLE_TIMEOUT_SECONDS: "30",
}));

afterAll(async () => {
  await turnStops().close();
  await sessionHub().close();
  await model.stop();
});

afterEach(() => {
  vi.useRealTimers();
});

const say = (account: TestAccount, input: string, sessionId?: string): Promise<AcceptedTurn> =>
  acceptTurn(
    account.principal,
    chatTurn({ input, sessionId, callbackUrl: "https://client.example/hook", creditsToReserve: 5 }),
  );

const statusOf = async (turnId: string) =>
  (await db().query<{ status: string }>("SELECT status FROM turns WHERE id = $1", [turnId])).rows[0]?.status;

async function expectBalanced(account: TestAccount, turns: Record<string, number>) {
  const books = await readBooks(database.url, account.accountId);
  expect(books).toMatchObject({ reserved: 0, turns, doubleCharges: 0, wrongTerminals: 0, wrongTexts: 0 });
  expect(books.ledger).toBe(books.balance);
}

const requestsWith = (text: string) => model.journal.filter(({ lastUserText }) => lastUserText.includes(text));

describe("canceling", () => {
  it("ends queued turns, returns what they were promised and tells no receiver", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "one");
    const later = await say(account, "two", sessionId);
    const session = await cancelChatSession(account.principal, sessionId);
    expect(session).toMatchObject({ id: sessionId, status: "canceled", creditsUsed: 0, lastOutput: null });
    expect(session).not.toHaveProperty("error");
    expect(await claimTurn(turnId)).toBeNull();
    expect(await claimTurn(later.turnId)).toBeNull();
    await expectBalanced(account, { canceled: 2 });
    const { rows } = await db().query("SELECT count(*) AS n FROM webhook_deliveries WHERE session_id = $1", [
      sessionId,
    ]);
    expect(rows).toEqual([{ n: 0 }]);
  });

  it("is told at once to whoever follows the session, of each turn", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "one");
    const later = await say(account, "two", sessionId);
    const heard: (string | undefined)[] = [];
    onTestFinished(await sessionHub().subscribe(sessionId, (event) => heard.push(event?.turnId, event?.type)));
    await cancelChatSession(account.principal, sessionId);
    expect(heard).toEqual([turnId, "error", later.turnId, "error"]);
  });

  it("leaves its word the last in the log: the worker that had the turn writes nothing behind it", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "late words");
    const { generation = 0 } = (await claimTurn(turnId)) ?? {};
    await cancelChatSession(account.principal, sessionId);
    const heard: unknown[] = [];
    const endListening = await sessionHub().subscribe(sessionId, (event) => heard.push(event?.type));
    const seq = 100;
    expect(await appendEvent({ sessionId, turnId, generation, seq, type: "chunk", data: "{}" })).toBe(false);
    expect(heard, "readers hear nothing of it either").not.toContain("chunk");
    endListening();
    const { rows } = await db().query("SELECT type FROM session_events WHERE session_id = $1", [sessionId]);
    expect(rows).toEqual([{ type: "error" }]);
  });

  it("stops a silent model without waiting for the worker's heartbeat", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "silent-model [[hang]]");
    const answering = answerTurn(turnId, 0);
    await expect.poll(() => requestsWith("silent-model").length).toBe(1);
    await cancelChatSession(account.principal, sessionId);
    expect(await answering).toEqual({ status: "ended" });
    await expect.poll(() => requestsWith("silent-model")[0]?.outcome, { interval: 5 }).toBe("closed");
    await expectBalanced(account, { canceled: 1 });
  });

  it("stops a talking model, and the text that was there stays where readers have it", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "talking-model [[size:100000]] [[slow:5ms]]");
    const answering = answerTurn(turnId, 0);
    await expect.poll(() => requestsWith("talking-model").length).toBe(1);
    await delay(50);
    await cancelChatSession(account.principal, sessionId);
    expect(await answering).toEqual({ status: "ended" });
    const { rows } = await db().query("SELECT type, data FROM session_events WHERE turn_id = $1 ORDER BY seq", [
      turnId,
    ]);
    expect(rows.slice(0, -1).every(({ type }) => type === "chunk")).toBe(true);
    expect(rows.at(-1)).toMatchObject({ type: "error", data: { sessionId, error: { code: "CANCELED" } } });
    await expectBalanced(account, { canceled: 1 });
  });

  it("ends a running turn and those behind it, and hands none of them on", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "first-of-three [[hang]]");
    const answering = answerTurn(turnId, 0);
    await expect.poll(() => requestsWith("first-of-three").length).toBe(1);
    await say(account, "second-of-three", sessionId);
    await say(account, "third-of-three", sessionId);
    const handedOver = "SELECT FROM outbox_events WHERE data->>'sessionId' = $1";
    const { rowCount } = await db().query(handedOver, [sessionId]);
    expect(await cancelChatSession(account.principal, sessionId)).toMatchObject({ status: "canceled" });
    await answering;
    await expectBalanced(account, { canceled: 3 });
    expect(requestsWith("second-of-three")).toEqual([]);
    expect((await db().query(handedOver, [sessionId])).rowCount).toBe(rowCount);
  });

  it("writes the ends of a session's turns in their order, above the text of the running one", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "one");
    const { generation } = await claimedTurn(turnId);
    const turnIds = [turnId];
    for (const input of ["two", "three", "four"]) turnIds.push((await say(account, input, sessionId)).turnId);
    const chunk = { sessionId, turnId, generation, seq: 1, type: "chunk", data: '{"delta":"a"}' };
    expect(await appendEvent(chunk)).toBe(true);
    await cancelChatSession(account.principal, sessionId);
    const { rows } = await db().query<{ id: string }>(
      "SELECT turn_id AS id FROM session_events WHERE session_id = $1 AND type = 'error' ORDER BY seq",
      [sessionId],
    );
    expect(rows.map(({ id }) => id)).toEqual(turnIds);
    await expectBalanced(account, { canceled: 4 });
  });

  it("ends more turns than go together, and one that comes while they are being ended", async () => {
    const account = await createTestAccount();
    const { sessionId } = await say(account, "one");
    for (let n = 1; n < 24; n++) await say(account, `more ${n}`, sessionId);
    const [session] = await Promise.all([
      cancelChatSession(account.principal, sessionId),
      ...[...Array(3)].map((_, n) => say(account, `late ${n}`, sessionId)),
    ]);
    expect(session.id).toBe(sessionId);
    // Those that came after it wait: the first of them was handed to the queue.
    await cancelChatSession(account.principal, sessionId);
    await expectBalanced(account, { canceled: 27 });
  });

  it("ends a turn that comes while it waits for another that is just ending", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "one");
    const canceling = await inTransaction(async (tx) => {
      await tx.query("SELECT FROM turns WHERE id = $1 FOR UPDATE", [turnId]);
      const answer = cancelChatSession(account.principal, sessionId);
      await expect.poll(async () => (await db().query(WAITING)).rowCount).toBe(1);
      await say(account, "two", sessionId);
      return { answer };
    });
    expect(await canceling.answer).toMatchObject({ status: "canceled" });
    await expectBalanced(account, { canceled: 2 });
  });

  it("ends a turn that waits for its next try", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "retry-later [[fail:500]]");
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "retry" });
    await cancelChatSession(account.principal, sessionId);
    expect(await answerTurn(turnId, 1)).toEqual({ status: "ended" });
    await expectBalanced(account, { canceled: 1 });
  });

  it("leaves a session with nothing open as it is, however often", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "done [[answer:Done]]");
    await answerTurn(turnId, 0);
    const first = await cancelChatSession(account.principal, sessionId);
    expect(first).toMatchObject({ status: "completed", lastOutput: "Done" });
    expect(await cancelChatSession(account.principal, sessionId)).toEqual(first);
    await expectBalanced(account, { completed: 1 });
  });

  it("twenty times at once is canceling once", async () => {
    const account = await createTestAccount();
    const { sessionId } = await say(account, "one");
    for (let n = 0; n < 4; n++) await say(account, `more ${n}`, sessionId);
    const answers = await Promise.all([...Array(20)].map(() => cancelChatSession(account.principal, sessionId)));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([sessionId]));
    await expectBalanced(account, { canceled: 5 });
  });

  it("answers each of several at once when all has ended, also of more turns than go together", async () => {
    const account = await createTestAccount();
    const { sessionId } = await say(account, "one");
    for (let n = 1; n < 45; n++) await say(account, `more ${n}`, sessionId);
    const answers = await Promise.all([...Array(3)].map(() => cancelChatSession(account.principal, sessionId)));
    expect(answers.map(({ status }) => status)).toEqual(["canceled", "canceled", "canceled"]);
    await expectBalanced(account, { canceled: 45 });
  });

  it("in a race with completion leaves exactly one end, whoever wins", async () => {
    const account = await createTestAccount({ credits: 10_000 });
    const ends: Record<string, number> = {};
    for (let round = 0; round < 40; round++) {
      const { sessionId, turnId } = await say(account, `race ${round} [[answer:yes]]`);
      const answering = answerTurn(turnId, 0);
      await delay(round % 20);
      await Promise.all([cancelChatSession(account.principal, sessionId), answering]);
      const status = (await statusOf(turnId)) ?? "";
      ends[status] = (ends[status] ?? 0) + 1;
    }
    expect(Object.keys(ends).every((status) => status === "completed" || status === "canceled")).toBe(true);
    await expectBalanced(account, ends);
  });

  it("lets the session go on afterwards", async () => {
    const account = await createTestAccount();
    const { sessionId } = await say(account, "stop this");
    await cancelChatSession(account.principal, sessionId);
    const { turnId } = await say(account, "go on [[answer:Here]]", sessionId);
    await answerTurn(turnId, 0);
    expect(await cancelChatSession(account.principal, sessionId)).toMatchObject({
      status: "completed",
      lastOutput: "Here",
    });
    await expectBalanced(account, { canceled: 1, completed: 1 });
  });

  it("answers the same 404 for a missing session, another tenant's and another end user's", async () => {
    const [mine, theirs] = await Promise.all([createTestAccount(), createTestAccount()]);
    const { sessionId, turnId } = await say(theirs, "not yours");
    const own = await say(mine, "mine");
    const missing = { code: "NOT_FOUND", message: "The session was not found." };
    await expect(cancelChatSession(mine.principal, sessionId)).rejects.toMatchObject(missing);
    await expect(cancelChatSession(mine.principal, "ses_01k8z3v5n6f0mve1q5t9d2x7ab")).rejects.toMatchObject(missing);
    await expect(cancelChatSession(mine.principal, own.sessionId, "bob")).rejects.toMatchObject(missing);
    expect(await statusOf(turnId)).toBe("queued");
    expect(await statusOf(own.turnId)).toBe("queued");
  });
});

describe("a worker that is told to stop", () => {
  it("hears of it also when the turn was canceled just before it began to listen", async () => {
    const account = await createTestAccount();
    const { sessionId, turnId } = await say(account, "early");
    const turn = await claimedTurn(turnId);
    const other = new TurnWriter(turn);
    await cancelChatSession(account.principal, sessionId);
    await expect.poll(() => other.signal.aborted).toBe(true);
    const late = new TurnWriter(turn);
    await expect.poll(() => late.signal.aborted, { timeout: 2_000 }).toBe(true);
    await other.close();
    await late.close();
  });

  it("goes on when the announcement was not about an end", async () => {
    const account = await createTestAccount();
    const { turnId } = await say(account, "alive");
    const writer = new TurnWriter(await claimedTurn(turnId));
    await db().query("SELECT pg_notify('turn_stops', $1)", [turnId]);
    await delay(100);
    expect(writer.signal.aborted).toBe(false);
    await writer.close();
  });
});

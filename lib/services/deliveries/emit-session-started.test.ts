import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import { type ModelServer, startModelServer } from "@/e2e/support/model-server";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { sessionStartedEvent } from "@/lib/contracts/webhook-events";
import { db } from "@/lib/db/pool";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { emitSessionStarted } from "@/lib/services/deliveries/emit-session-started";
import { onRelayWake } from "@/lib/services/outbox/relay-wake";
import { deleteSession } from "@/lib/services/sessions/delete-session";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { abandonTurn, answerTurn } from "@/lib/services/turns/answer-turn";
import { claimTurn, holdClaim } from "@/lib/services/turns/claim-turn";
import type { TurnInput } from "@/lib/services/turns/turn-input";

let model: ModelServer;
let account: TestAccount;

beforeAll(async () => {
  model = await startModelServer();
});
useServiceDatabase(() => ({ OPENAI_BASE_URL: model.baseUrl, MODEL_RETRY_DELAYS_SECONDS: "1,1" }));
beforeEach(async () => {
  account = await createTestAccount();
});
afterAll(async () => {
  await sessionHub().close();
  await model.stop();
});

const listen = (events = ["session.started"], more: { active?: boolean; status?: string } = {}) =>
  seedRegistration({ ...account, url: "https://receiver.example/", secret: newWebhookSecret(), events, ...more });

const accept = (more?: Partial<TurnInput>) => acceptTurn(account.principal, chatTurn(more));

const started = async (sessionId: string) =>
  (
    await db().query("SELECT * FROM webhook_deliveries WHERE session_id = $1 AND event = 'session.started'", [
      sessionId,
    ])
  ).rows;

describe("session.started", () => {
  it("goes to each matching registration with the body of the contract, once, whatever is run again", async () => {
    const wanting = [await listen(), await listen(["completion", "session.started"])].sort();
    await listen(["completion"]);
    await listen(["session.started"], { active: false, status: "inactive" });
    const { sessionId, turnId } = await accept({ endUserId: "ada" });
    expect(await started(sessionId), "not on the way of the call").toEqual([]);
    expect(await claimTurn(turnId)).toMatchObject({ isStartAwaited: true });
    await Promise.all([answerTurn(turnId, 0), answerTurn(turnId, 0)]);
    await answerTurn(turnId, 1);

    const rows = await started(sessionId);
    expect(rows.map((row) => row.registration_id).sort()).toEqual(wanting);
    const { rows: sessions } = await db().query("SELECT created_at FROM sessions WHERE id = $1", [sessionId]);
    for (const row of rows) {
      expect(sessionStartedEvent.parse(JSON.parse(row.body))).toEqual({
        type: "session.started",
        sessionId,
        endUserId: "ada",
        templateId: null,
        status: "started",
        timestamp: sessions[0].created_at.toISOString(),
      });
    }
  });

  it("tells nobody of a session that was deleted since its turn was taken, and leaves no row of it", async () => {
    await listen();
    const { sessionId, turnId } = await accept({ endUserId: "ada" });
    const turn = await claimTurn(turnId);
    await deleteSession(OPERATOR, account, sessionId);
    if (turn) holdClaim(turn);
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(await started(sessionId)).toEqual([]);
  });

  it("tells nobody of a session that is just being deleted, and leaves no row of it", async () => {
    await listen();
    const turn = await claimedTurn((await accept()).turnId);
    const deletion = { statement: "DELETE FROM sessions WHERE id = $1", id: turn.sessionId };
    const [told] = await whileHeld(deletion, () => emitSessionStarted(turn));
    expect([told.status, await started(turn.sessionId)]).toEqual(["fulfilled", []]);
  });

  it("names the client's own reference, whether its worker or its end tells of it", async () => {
    await listen();
    const [answered, abandoned] = [await accept({ reference: "A-1" }), await accept({ reference: "A-2" })];
    await answerTurn(answered.turnId, 0);
    await abandonTurn(abandoned.turnId);
    for (const [{ sessionId }, reference] of [
      [answered, "A-1"],
      [abandoned, "A-2"],
    ] as const) {
      const [row] = await started(sessionId);
      expect(sessionStartedEvent.parse(JSON.parse(row?.body ?? "{}"))).toMatchObject({ sessionId, reference });
    }
  });

  it("does not come for a further turn of the session", async () => {
    const first = await accept();
    await answerTurn(first.turnId, 0);
    await listen();
    const second = await accept({ sessionId: first.sessionId });
    expect(await claimTurn(second.turnId)).toMatchObject({ isStartAwaited: false });
    await answerTurn(second.turnId, 0);
    await abandonTurn((await accept({ sessionId: first.sessionId })).turnId);
    expect(await started(first.sessionId)).toEqual([]);
  });

  it("is handed to the queue at once", async () => {
    await listen();
    const turn = await claimedTurn((await accept()).turnId);
    let wakeUps = 0;
    onTestFinished(onRelayWake(() => wakeUps++));
    await emitSessionStarted(turn);
    expect([await started(turn.sessionId), wakeUps]).toMatchObject([[{ status: "pending" }], 1]);
  });

  it("is kept for a receiver that has failed, and goes nowhere until somebody sends it", async () => {
    await listen(["session.started"], { status: "failed" });
    const { sessionId, turnId } = await accept();
    expect(await claimTurn(turnId)).toMatchObject({ isStartAwaited: true });
    await answerTurn(turnId, 0);
    expect(await started(sessionId)).toMatchObject([{ status: "held", next_attempt_at: null }]);
  });

  it("costs nothing where nobody waits for it", async () => {
    await listen(["completion"]);
    const { turnId } = await accept();
    expect(await claimTurn(turnId)).toMatchObject({ isStartAwaited: false });
  });

  it("comes before the answer of a model that fails, and once with its retries", async () => {
    await listen();
    const { sessionId, turnId } = await accept({ input: "x [[fail:500:1]]" });
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "retry" });
    expect(await started(sessionId)).toHaveLength(1);
    expect(await answerTurn(turnId, 1)).toEqual({ status: "ended" });
    expect(await started(sessionId)).toHaveLength(1);
  });

  it("comes also when the first turn ends before anybody took it, and then only for the first", async () => {
    await listen();
    const { sessionId, turnId } = await accept();
    const second = await accept({ sessionId });
    await abandonTurn(turnId);
    expect(await started(sessionId)).toHaveLength(1);
    await abandonTurn(second.turnId);
    expect(await started(sessionId)).toHaveLength(1);
  });
});

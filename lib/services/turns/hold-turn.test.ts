import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { balanceOf, eventsOf, readRow, streamedText } from "@/e2e/support/turn-reads";
import { message, useTurnStage } from "@/e2e/support/turn-stage";
import type { Pace } from "@/lib/ai/felt-limit";
import { type ModelPace, modelPaces } from "@/lib/ai/model-pace";
import { db } from "@/lib/db/pool";
import { env } from "@/lib/env";
import { readBacklog } from "@/lib/services/metrics/read-backlog";
import { relayBatch } from "@/lib/services/outbox/relay-outbox";
import { getSystem } from "@/lib/services/staff/get-system";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { answerTurn } from "@/lib/services/turns/answer-turn";
import { cancelTurns } from "@/lib/services/turns/cancel-turns";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";
import type { TurnInput } from "@/lib/services/turns/turn-input";

const stage = useTurnStage({ LOG_LEVEL: "warn" });

let account: TestAccount;

beforeEach(async () => {
  await db().query("DELETE FROM turns");
  await db().query("DELETE FROM outbox_events");
  account = await createTestAccount();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const processing = (more: Partial<TurnInput> = {}) =>
  acceptTurn(
    account.principal,
    message("Read it.", { kind: "process", endpoint: "POST /process", fileContent: "A letter.", ...more }),
  );

/** The pace that a turn asks says what it is told to. */
function pace(...answers: Pace[]) {
  for (let call = 0; call < 5; call++) modelPaces().refused(env().DEFAULT_MODEL);
  const asked = vi.spyOn(modelPaces().find(env().DEFAULT_MODEL) as ModelPace, "ask");
  for (const answer of answers) asked.mockReturnValueOnce(answer);
  return asked;
}

const later = (waitSeconds = 30, silentSeconds = 0) => ({ isTurn: false, waitSeconds, silentSeconds }) as const;
const now = { isTurn: true } as const;

async function handedOver() {
  const { rows } = await db().query(
    "SELECT name, data, extract(epoch FROM available_at - now())::float AS seconds FROM outbox_events",
  );
  return rows;
}

describe("a processing whose model is asked at a pace", () => {
  it("is let go of until its time, without having asked, and holds nothing of the account's", async () => {
    const { turnId, sessionId } = await processing();
    await db().query("DELETE FROM outbox_events");
    const asked = stage.model.journal.length;
    pace(later(30));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(stage.model.journal).toHaveLength(asked);
    expect(await readRow("turns", turnId)).toMatchObject({ status: "queued", started_at: null, limited_tries: 0 });
    expect(await handedOver()).toEqual([
      {
        name: "turn/ready",
        data: { turnId, sessionId, accountId: account.accountId, priority: 300, tried: 0 },
        seconds: expect.closeTo(30, -1),
      },
    ]);
    const { rows } = await db().query("SELECT data FROM session_events WHERE turn_id = $1 AND type = 'progress'", [
      turnId,
    ]);
    expect(rows).toEqual([{ data: { sessionId, stage: "limited", done: 0, total: expect.any(Number), covers: "" } }]);
    expect(await getSystem()).toMatchObject({ turns: { queued: 1, limited: 1 }, outbox: { waiting: 0 } });
    expect(await readBacklog()).toMatchObject({ outboxWaiting: 0, outboxLagSeconds: 0, turnsOldestQueuedSeconds: 0 });
  });

  it("is handed to the queue when its time has come, and not before", async () => {
    const { turnId } = await processing();
    await db().query("DELETE FROM outbox_events");
    pace(later(30));
    await answerTurn(turnId, 0);
    const sent: unknown[] = [];
    const send = async (events: { data: object }[]) => void sent.push(...events.map(({ data }) => data));
    await relayBatch({ send });
    expect(sent).toEqual([]);
    await db().query("UPDATE outbox_events SET available_at = available_at - interval '31 seconds'");
    await relayBatch({ send });
    expect(sent).toEqual([expect.objectContaining({ turnId })]);
  });

  it("is answered when its time has come, once, as if it had never been held", async () => {
    const { turnId, sessionId } = await processing();
    const asked = pace(later(), later(), now);
    for (let time = 0; time < 3; time++) expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(asked).toHaveBeenCalledTimes(3);
    expect(asked.mock.calls.map(([lane, id]) => [lane, id])).toEqual(Array(3).fill([account.accountId, turnId]));
    const session = await readRow("sessions", sessionId);
    expect(session).toMatchObject({ status: "completed" });
    const all = await eventsOf(account, sessionId);
    expect(all.filter(({ event }) => event === "reset")).toEqual([]);
    expect(streamedText(all)).toBe(session.last_output);
    const { balance, ledger, reserved } = await balanceOf(account);
    expect({ balance, reserved }).toEqual({ balance: 1_000 - session.credits_used, reserved: 0 });
    expect(ledger).toBe(balance);
  });

  it("tells readers to drop the text of a try that broke off before it was held", async () => {
    const { turnId, sessionId } = await processing({ input: "go on [[break:1]] [[size:500]]" });
    expect(await answerTurn(turnId, 0)).toMatchObject({ status: "retry" });
    pace(later(), now);
    await answerTurn(turnId, 1);
    expect(await readRow("turns", turnId)).toMatchObject({ status: "running", started_at: expect.any(Date) });
    await answerTurn(turnId, 0);
    const all = await eventsOf(account, sessionId);
    expect(all.filter(({ event }) => event === "reset")).toHaveLength(1);
    expect(streamedText(all)).toBe((await readRow("sessions", sessionId)).last_output);
  });

  it("can be canceled while it is held, and is answered no more", async () => {
    const { turnId, sessionId } = await processing();
    pace(later());
    await answerTurn(turnId, 0);
    await cancelTurns(sessionId);
    const asked = stage.model.journal.length;
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(stage.model.journal).toHaveLength(asked);
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "canceled", credits_used: 0 });
    expect(await balanceOf(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000 });
  });

  it("is not taken for lost while it is held", async () => {
    const { turnId } = await processing();
    pace(later(300));
    await answerTurn(turnId, 0);
    await db().query("UPDATE turns SET heartbeat_at = heartbeat_at - interval '290 seconds'");
    expect(await redispatchTurns(1)).toBe(0);
    await db().query(
      "UPDATE turns SET heartbeat_at = now() - interval '5 seconds', created_at = now() - interval '1 hour'",
    );
    expect((await readBacklog()).turnsOldestQueuedSeconds).toBeCloseTo(5, -1);
  });

  it("tells receivers that its session began, once, also before its model is asked", async () => {
    await seedRegistration({
      ...{ accountId: account.accountId, projectId: account.projectId, url: "https://localhost/told" },
      ...{ secret: "whsec_held", events: ["session.started"] },
    });
    const { turnId } = await processing();
    pace(later(), later());
    for (let time = 0; time < 2; time++) await answerTurn(turnId, 0);
    const { rows } = await db().query("SELECT event FROM webhook_deliveries WHERE turn_id = $1", [turnId]);
    expect(rows).toEqual([{ event: "session.started" }]);
  });

  it("tells whoever looks on also where a limit refused it before", async () => {
    const { turnId } = await processing({ input: "please [[fail:429]]" });
    pace(now, later(), later());
    for (let attempt = 0; attempt < 3; attempt++) await answerTurn(turnId, attempt);
    const { rows } = await db().query(
      "SELECT data->>'done' AS tries FROM session_events WHERE turn_id = $1 AND type = 'progress'",
      [turnId],
    );
    expect(rows).toEqual([{ tries: "1" }]);
  });

  it("keeps the tries that a limit refused: being held between them gives it no more", async () => {
    const { turnId, sessionId } = await processing({ input: "please [[fail:429]]" });
    pace().mockReturnValue(now);
    let refused = 1;
    while ((await answerTurn(turnId, 0)).status !== "ended") refused++;
    expect(refused).toBeGreaterThan(8);
    expect(refused).toBeLessThan(16);
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "failed", error_code: "MODEL_RATE_LIMITED" });
  });

  it("keeps the tries that something else failed: being held between them gives it no more", async () => {
    const { turnId, sessionId } = await processing({ input: "please [[fail:500]]" });
    const asked = stage.model.journal.length;
    pace(...Array<Pace[]>(10).fill([now, later()]).flat());
    let [tried, attempt] = [0, 0];
    while ((await readRow("sessions", sessionId)).status === "started") {
      await db().query("DELETE FROM outbox_events");
      const { status } = await answerTurn(turnId, tried + attempt);
      const [event] = await handedOver();
      [tried, attempt] = event ? [event.data.tried, 0] : [tried, attempt + Number(status === "retry")];
    }
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "failed", error_code: "MODEL_UNAVAILABLE" });
    expect(stage.model.journal.length - asked).toBe(3);
  });

  it.each([
    ["waits on while others get through, however long it waited", 10_000, 5, "queued", null],
    ["waits on where nothing gets through, when it has not waited as long as that", 5, 10_000, "queued", null],
    ["fails when it waited and nothing got through for all that time", 10_000, 10_000, "failed", "MODEL_RATE_LIMITED"],
  ])("%s", async (_, waited, silent, status, code) => {
    const { turnId } = await processing();
    await db().query("UPDATE turns SET created_at = now() - make_interval(secs => $1)", [waited]);
    pace(later(30, silent));
    expect(await answerTurn(turnId, 0)).toEqual({ status: "ended" });
    expect(await readRow("turns", turnId)).toMatchObject({ status, error_code: code });
    expect(await balanceOf(account)).toMatchObject({ balance: 1_000, reserved: code ? 0 : 1 });
  });
});

describe("the pace", () => {
  it("holds nothing where the settings have no patience with limits", async () => {
    const { turnId, sessionId } = await processing();
    const asked = pace(later());
    vi.spyOn(env(), "MODEL_LIMIT_PATIENCE_SECONDS", "get").mockReturnValue(0);
    await answerTurn(turnId, 0);
    expect(asked).not.toHaveBeenCalled();
    expect(await readRow("sessions", sessionId)).toMatchObject({ status: "completed" });
  });

  it.each([
    ["POST /process", "process", true],
    ["POST /process/batch", "process", true],
    ["POST /process/:id/retry", "process", true],
    ["POST /chat/:sessionId/retry", "process", true],
    ["POST /b2b/send", "process", true],
    ["POST /chat", "chat", false],
    ["POST /chat/:sessionId/retry", "chat", false],
    ["POST /b2b/send", "chat", false],
  ] as const)("holds %s of a session for %s: %s", async (endpoint, kind, isHeld) => {
    const { turnId } = await processing({ endpoint, kind });
    pace(later());
    await answerTurn(turnId, 0);
    expect((await readRow("turns", turnId)).status).toBe(isHeld ? "queued" : "completed");
  });

  it.each(["POST /chat", "POST /b2b/send"])("does not hold %s that asks on about a document", async (endpoint) => {
    const { turnId, sessionId } = await processing();
    pace(now, later());
    await answerTurn(turnId, 0);
    const next = await acceptTurn(account.principal, message("And the date?", { endpoint, sessionId }));
    await answerTurn(next.turnId, 0);
    expect((await readRow("turns", next.turnId)).status).toBe("completed");
  });

  it("counts the files of batches apart from an account's single ones", async () => {
    const { turnId } = await processing({ endpoint: "POST /process/batch" });
    const asked = pace(later());
    await answerTurn(turnId, 0);
    expect(asked.mock.calls[0]?.[0]).not.toBe(account.accountId);
    expect(asked.mock.calls[0]?.[0]).toContain(account.accountId);
  });

  it("begins with a few refusals within seconds, of whatever calls, and hears of answers and of refusals", async () => {
    const model = `model-${account.accountId}`;
    await db().query("UPDATE projects SET model = $1 WHERE account_id = $2", [model, account.accountId]);
    const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    for (let call = 0; call < 5; call++) {
      const { turnId } = await acceptTurn(account.principal, message(`please [[fail:429]] ${call}`));
      expect(modelPaces().find(model)?.ask("any", "any") ?? now).toEqual(now);
      await answerTurn(turnId, 0);
    }
    const lines = said.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(model));
    expect(lines).toEqual([expect.stringContaining("processings are asked for at the pace")]);
    const heard = modelPaces().find(model);
    heard?.ask("any", "any");
    expect(heard?.ask("any", "other")).toMatchObject({ isTurn: false });
    const [answered, paced, refused] = [
      spyOn(heard, "answered"),
      spyOn(heard, "pacedAnswered"),
      spyOn(heard, "pacedRefused"),
    ];
    vi.spyOn(heard as ModelPace, "ask").mockReturnValue(now);
    await answerTurn((await processing()).turnId, 0);
    expect([answered, paced, refused].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
    await answerTurn((await processing({ input: "please [[fail:429:1:7]]" })).turnId, 0);
    expect(refused).toHaveBeenCalledWith({ lane: account.accountId, refusedBefore: 0, retryAfterSeconds: 7 });
    await answerTurn((await acceptTurn(account.principal, message("Hello"))).turnId, 0);
    expect([answered, paced, refused].map(({ mock }) => mock.calls.length)).toEqual([2, 1, 1]);
  });
});

function spyOn(pace: ModelPace | undefined, method: "answered" | "pacedAnswered" | "pacedRefused") {
  return vi.spyOn(pace as ModelPace, method);
}

import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { countWaits } from "@/e2e/support/count-waits";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { sessionTimeoutEvent } from "@/lib/contracts/webhook-events";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { expireSessions } from "@/lib/services/sessions/expire-sessions";
import { getChatSession } from "@/lib/services/sessions/get-chat-session";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { openSessionStream } from "@/lib/services/sessions/stream-session";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";

const TWO_HOURS = 7_200;
const NOW = new Date("2026-03-01T12:00:00.000Z");
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

let account: TestAccount;

useServiceDatabase();
beforeEach(async () => {
  await db().query("TRUNCATE sessions, webhook_registrations, webhook_deliveries, outbox_events CASCADE");
  account = await createTestAccount();
});
afterAll(() => sessionHub().close());

const listen = (events = ["session.timeout"], more: { active?: boolean; status?: string; projectId?: string } = {}) =>
  seedRegistration({ ...account, url: "https://receiver.example/", secret: newWebhookSecret(), events, ...more });

async function seedSession(
  lastActivityAt: Date,
  more: { status?: string; openTurns?: number; projectId?: string } = {},
) {
  const id = newId("session");
  const { status = "completed", openTurns = 0, projectId = account.projectId } = more;
  await db().query(
    `INSERT INTO sessions (id, account_id, project_id, kind, status, end_user_id, open_turns, created_at, last_activity_at)
     VALUES ($1, $2, $3, 'chat', $4, 'ada', $5, $6, $6)`,
    [id, account.accountId, projectId, status, openTurns, lastActivityAt],
  );
  return id;
}

const statusOf = async (id: string) =>
  (await db().query("SELECT status FROM sessions WHERE id = $1", [id])).rows[0]?.status;
const deliveries = async () => (await db().query("SELECT * FROM webhook_deliveries ORDER BY created_at, id")).rows;
const expire = (more = {}) => expireSessions({ now: NOW, timeoutSeconds: TWO_HOURS, ...more });

describe("expireSessions", () => {
  it("expires at two hours without activity to the millisecond, and not before", async () => {
    const [due, young] = [await seedSession(ago(TWO_HOURS)), await seedSession(new Date(ago(TWO_HOURS).getTime() + 1))];
    expect(await expire()).toBe(1);
    expect([await statusOf(due), await statusOf(young)]).toEqual(["expired", "completed"]);
    expect(await expire({ now: new Date(NOW.getTime() + 1) })).toBe(1);
    expect(await statusOf(young)).toBe("expired");
  });

  it.each(["started", "resumed", "completed", "failed", "canceled"])("expires a session that is %s", async (status) => {
    const id = await seedSession(ago(TWO_HOURS), { status });
    expect(await expire()).toBe(1);
    expect(await statusOf(id)).toBe("expired");
  });

  it("leaves alone a session with an open turn, however old, and one that has expired", async () => {
    await listen();
    const running = await seedSession(ago(10 * TWO_HOURS), { status: "resumed", openTurns: 1 });
    await seedSession(ago(TWO_HOURS), { status: "expired" });
    expect(await expire()).toBe(0);
    expect(await statusOf(running)).toBe("resumed");
    expect(await deliveries()).toEqual([]);
  });

  it("sends the event of the contract to each active registration of the project that wants it", async () => {
    const wanting = [await listen(), await listen(["completion", "session.timeout"])].sort();
    await listen(["completion"]);
    await listen(["session.timeout"], { active: false, status: "inactive" });
    await listen(["session.timeout"], { projectId: (await createTestAccount()).projectId });
    const id = await seedSession(ago(TWO_HOURS + 5));
    await expire();
    const rows = await deliveries();
    expect(rows.map((row) => row.registration_id).sort()).toEqual(wanting);
    for (const row of rows) {
      expect(row).toMatchObject({ session_id: id, turn_id: null, event: "session.timeout", status: "pending" });
      expect(sessionTimeoutEvent.parse(JSON.parse(row.body))).toEqual({
        type: "session.timeout",
        sessionId: id,
        endUserId: "ada",
        templateId: null,
        status: "expired",
        timestamp: NOW.toISOString(),
        lastActivityAt: ago(TWO_HOURS + 5).toISOString(),
      });
    }
    expect((await db().query("SELECT count(*) FROM outbox_events WHERE name = 'delivery/ready'")).rows[0].count).toBe(
      2,
    );
  });

  it("names the client's own reference", async () => {
    await listen();
    const { turnId } = await acceptTurn(account.principal, chatTurn({ reference: "R-1" }));
    await endTurn(turnId, null, completedEnd());
    expect(await expireSessions({ now: new Date(Date.now() + 10_000), timeoutSeconds: 5 })).toBe(1);
    const [row] = await deliveries();
    expect(sessionTimeoutEvent.parse(JSON.parse(row.body))).toMatchObject({ reference: "R-1" });
  });

  it("holds the event of a failed registration back", async () => {
    await listen(["session.timeout"], { status: "failed" });
    await seedSession(ago(TWO_HOURS));
    await expire();
    expect(await deliveries()).toMatchObject([{ status: "held" }]);
  });

  it("goes on in batches until nothing is left", async () => {
    await listen();
    for (let index = 0; index < 23; index += 1) await seedSession(ago(TWO_HOURS + index));
    expect(await expire({ limit: 5 })).toBe(23);
    expect(await deliveries()).toHaveLength(23);
    expect(await expire({ limit: 5 })).toBe(0);
  });

  it("asks the database no more often for many sessions that receivers wait for than for two", async () => {
    await listen();
    const statementsOf = async (count: number) => {
      for (let index = 0; index < count; index += 1) await seedSession(ago(TWO_HOURS + index));
      return (await countWaits(async () => expect(await expire()).toBe(count))).statements;
    };
    expect(await statementsOf(20)).toHaveLength((await statementsOf(2)).length);
    expect(await deliveries()).toHaveLength(22);
  });

  it("expires each session once, with one event, when many sweeps run at once", async () => {
    await listen();
    for (let index = 0; index < 60; index += 1) await seedSession(ago(TWO_HOURS + index));
    const counts = await Promise.all(Array.from({ length: 6 }, () => expire({ limit: 7 })));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60);
    expect(new Set((await deliveries()).map((row) => row.session_id)).size).toBe(60);
    expect(await deliveries()).toHaveLength(60);
  });

  it("changes nothing when the event cannot be written", async () => {
    await listen();
    const id = await seedSession(ago(TWO_HOURS));
    await db().query("ALTER TABLE webhook_deliveries ADD CONSTRAINT broken CHECK (event <> 'session.timeout')");
    try {
      await expect(expire()).rejects.toThrow("broken");
    } finally {
      await db().query("ALTER TABLE webhook_deliveries DROP CONSTRAINT broken");
    }
    expect(await statusOf(id)).toBe("completed");
    expect(await expire()).toBe(1);
    expect(await deliveries()).toHaveLength(1);
  });

  it("expires a resumed session again, with a further event; its answers stay readable", async () => {
    await listen();
    const first = await acceptTurn(account.principal, chatTurn({ input: "One" }));
    const { sessionId } = first;
    const answer = async (turnId: string, output: string) => {
      const { generation } = await claimedTurn(turnId);
      await endTurn(turnId, generation, completedEnd({ output }));
    };
    const later = { now: new Date(Date.now() + 10_000), timeoutSeconds: 5 };
    expect(await expireSessions(later), "its turn is open").toBe(0);
    await answer(first.turnId, "First answer");
    expect(await expireSessions(later)).toBe(1);
    const session = await getChatSession(account.principal, sessionId);
    expect(session).toMatchObject({ status: "expired", lastOutput: "First answer" });
    expect(session.messages).toHaveLength(2);
    const stream = await openSessionStream(account.principal, sessionId, {});
    const abort = new AbortController();
    const events = [];
    for await (const event of stream?.(abort.signal) ?? []) events.push(event);
    abort.abort();
    expect(events.map(({ event }) => event)).toEqual(["status", "completed"]);
    expect(events[0]?.data).toEqual({ sessionId, status: "expired" });

    const second = await acceptTurn(account.principal, chatTurn({ input: "Two", sessionId }));
    expect(second.status).toBe("resumed");
    await answer(second.turnId, "Second answer");
    expect(await expireSessions(later)).toBe(1);
    expect(await expireSessions(later)).toBe(0);
    const times = (await deliveries()).map((row) => JSON.parse(row.body).lastActivityAt);
    expect(new Set(times).size).toBe(2);
  });

  it("leaves a session that a call is resuming at this moment to that call", async () => {
    const id = await seedSession(ago(TWO_HOURS));
    const client = await db().connect();
    try {
      await client.query("BEGIN");
      await client.query("UPDATE sessions SET status = 'resumed', open_turns = 1 WHERE id = $1", [id]);
      expect(await expire()).toBe(0);
      await client.query("COMMIT");
    } finally {
      client.release();
    }
    expect(await expire()).toBe(0);
    expect(await statusOf(id)).toBe("resumed");
  });

  it("finds what is due by the index made for it", async () => {
    await db().query(
      `INSERT INTO sessions (id, account_id, project_id, kind, status, open_turns, last_activity_at)
       SELECT 'ses_' || n, $1, $2, 'chat', 'expired', 0, $3 FROM generate_series(1, 5000) n`,
      [account.accountId, account.projectId, ago(TWO_HOURS)],
    );
    await db().query("ANALYZE sessions");
    const { rows } = await db().query(
      `EXPLAIN SELECT id FROM sessions WHERE status <> 'expired' AND open_turns = 0 AND last_activity_at <= now()
       ORDER BY last_activity_at LIMIT 100 FOR UPDATE SKIP LOCKED`,
    );
    expect(JSON.stringify(rows)).toContain("sessions_expiry_idx");
  });
});

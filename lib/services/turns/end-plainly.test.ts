import { afterAll, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { checkBooks } from "@/lib/services/credits/check-books";
import { type AnnouncedEvent, sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import type { ClaimedTurn } from "@/lib/services/turns/claim-together";
import { endTurn } from "@/lib/services/turns/end-turn";

useServiceDatabase();

afterAll(() => sessionHub().close());

const ANSWER = completedEnd({ output: "Yes.", lastDelta: "Yes.", tokensIn: 2, tokensOut: 3 });

async function beginTurn({ principal }: TestAccount, sessionId?: string): Promise<ClaimedTurn> {
  const { turnId } = await acceptTurn(principal, chatTurn({ sessionId }));
  return claimedTurn(turnId);
}

function end(claimed: ClaimedTurn): Promise<boolean> {
  return endTurn(claimed.turnId, claimed.generation, ANSWER, claimed);
}

async function logOf(sessionId: string) {
  const { rows } = await db().query("SELECT seq, type, data FROM session_events WHERE session_id = $1 ORDER BY seq", [
    sessionId,
  ]);
  return rows;
}

function dataOf(event: AnnouncedEvent | null): unknown {
  return JSON.parse(event?.data ?? "null");
}

async function outboxOf(turnId: string) {
  const { rows } = await db().query("SELECT name FROM outbox_events WHERE data->>'turnId' = $1", [turnId]);
  return rows;
}

describe("a turn whose end is all that there is to write", () => {
  it("says the same in the log as, once, to whoever listens", async () => {
    const account = await createTestAccount();
    const claimed = await beginTurn(account);
    const { sessionId } = claimed;
    const heard: (AnnouncedEvent | null)[] = [];
    const forget = await sessionHub().subscribe(sessionId, (event) => heard.push(event));
    expect(await end(claimed)).toBe(true);
    // What another process says is heard after what comes back of this one's own words.
    const last = { sessionId, turnId: claimed.turnId, seq: 3, type: "other", data: "{}" };
    await db().query("SELECT pg_notify('session_events', $1)", [JSON.stringify(last)]);
    await expect.poll(() => heard.at(-1)).toEqual(last);
    forget();
    const log = await logOf(sessionId);
    const said = heard.slice(0, -1).map((event) => ({ seq: event?.seq, type: event?.type, data: dataOf(event) }));
    expect(said).toEqual(log);
    expect(log.map(({ type }) => type)).toEqual(["chunk", "completed"]);
    expect(log[1]?.data).toMatchObject({ type: "completion", creditsUsed: 1, endUserId: null, templateId: null });
    expect(Object.keys(log[1]?.data ?? {})).not.toContain("input");
  });

  it("is charged what there is, however many of an account end at once", async () => {
    const account = await createTestAccount({ credits: 40 });
    const claims: ClaimedTurn[] = [];
    for (let n = 0; n < 20; n++) claims.push(await beginTurn(account));
    const dear = claims.map((claimed, n) =>
      endTurn(claimed.turnId, claimed.generation, { ...ANSWER, credits: n % 5 }, claimed),
    );
    expect(await Promise.all(dear)).toEqual(claims.map(() => true));
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true, balance: 0, reserved: 0 });
  });

  it("ends once, whoever asks for it how often", async () => {
    const account = await createTestAccount();
    const claimed = await beginTurn(account);
    const ended = await Promise.all([end(claimed), end(claimed), end(claimed), end(claimed)]);
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect(await end(claimed)).toBe(false);
    expect((await logOf(claimed.sessionId)).map(({ type }) => type)).toEqual(["chunk", "completed"]);
  });
});

describe("a turn of which more is to be written than its worker knew", () => {
  it("tells a receiver that was registered while it was answered", async () => {
    const account = await createTestAccount();
    const claimed = await beginTurn(account);
    await db().query(
      `INSERT INTO webhook_registrations (id, account_id, project_id, url, events, secret_encrypted)
       VALUES ('whk_late', $1, $2, 'https://receiver.example/', '{completion}', '')`,
      [account.accountId, account.projectId],
    );
    expect([claimed.hasReceivers, await end(claimed)]).toEqual([false, true]);
    const { rows } = await db().query(
      "SELECT body::jsonb->>'output' AS output FROM webhook_deliveries WHERE turn_id = $1",
      [claimed.turnId],
    );
    expect(rows).toEqual([{ output: "Yes." }]);
    expect((await beginTurn(account)).hasReceivers).toBe(true);
  });

  it("tells the callback of its call, also where its project has no receiver at all", async () => {
    const account = await createTestAccount();
    const { turnId } = await acceptTurn(account.principal, chatTurn({ callbackUrl: "https://receiver.example/hook" }));
    const claimed = await claimedTurn(turnId);
    expect([claimed.hasReceivers, await end(claimed)]).toEqual([true, true]);
    const { rows } = await db().query("SELECT url, event FROM webhook_deliveries WHERE turn_id = $1", [turnId]);
    expect(rows).toEqual([{ url: "https://receiver.example/hook", event: "completion" }]);
  });

  it("hands the next turn of its session over, in whatever moment that was accepted", async () => {
    const account = await createTestAccount();
    for (let round = 0; round < 25; round++) {
      const claimed = await beginTurn(account);
      const next = acceptTurn(account.principal, chatTurn({ sessionId: claimed.sessionId }));
      const [, ended] = await Promise.all([next, end(claimed)]);
      expect(ended).toBe(true);
      expect(await outboxOf((await next).turnId)).toEqual([{ name: "turn/ready" }]);
    }
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true });
  });

  it("takes the next place of the log when somebody else takes its own in the same moment", async () => {
    const account = await createTestAccount();
    const { sessionId, ...claimed } = await beginTurn(account);
    const other = await db().connect();
    await other.query("BEGIN");
    await other.query(
      "INSERT INTO session_events (session_id, seq, turn_id, type, data) VALUES ($1, 1, $2, 'chunk', '{}')",
      [sessionId, claimed.turnId],
    );
    const ending = end({ sessionId, ...claimed });
    await expect.poll(waitingStatements).toBeGreaterThan(0);
    await other.query("COMMIT");
    other.release();
    expect(await ending).toBe(true);
    expect((await logOf(sessionId)).map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "1 chunk",
      "2 chunk",
      "3 completed",
    ]);
    expect(await checkBooks(account.accountId)).toMatchObject({ isClean: true });
  });
});

async function waitingStatements(): Promise<number> {
  const { rows } = await db().query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%WITH turn AS%'`,
  );
  return rows[0]?.waiting ?? 0;
}

import { afterAll, beforeEach, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { db, inTransaction } from "@/lib/db/pool";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";

const STALE_SECONDS = 60;

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  await db().query("DELETE FROM turns");
  account = await createTestAccount();
});

afterAll(() => sessionHub().close());

/** Accepts a turn, takes what the queue knows of it away, and makes its last sign of life this old. */
async function turnOf(silentSeconds: number, { isRunning = false, sessionId = "" } = {}) {
  const accepted = await acceptTurn(account.principal, chatTurn(sessionId ? { sessionId } : {}));
  if (isRunning) await claimedTurn(accepted.turnId);
  await db().query("DELETE FROM outbox_events");
  await db().query("UPDATE turns SET heartbeat_at = now() - make_interval(secs => $2) WHERE id = $1", [
    accepted.turnId,
    silentSeconds,
  ]);
  return accepted;
}

async function handedOver(): Promise<string[]> {
  const count = await redispatchTurns(STALE_SECONDS);
  const { rows } = await db().query<{ id: string }>("SELECT data->>'turnId' AS id FROM outbox_events ORDER BY 1");
  expect(rows).toHaveLength(count);
  return rows.map(({ id }) => id);
}

it("hands over a turn that was being worked on as soon as it is silent, and one in a queue after ten times as long", async () => {
  const lost = await turnOf(STALE_SECONDS + 5, { isRunning: true });
  const forgotten = await turnOf(10 * STALE_SECONDS + 5);
  await turnOf(STALE_SECONDS - 5, { isRunning: true });
  await turnOf(10 * STALE_SECONDS - 5);
  expect(await handedOver()).toEqual([lost.turnId, forgotten.turnId].sort());
});

it("hands a turn over once: it then has as long again to show signs of life", async () => {
  const { turnId } = await turnOf(10 * STALE_SECONDS + 5);
  expect(await handedOver()).toEqual([turnId]);
  await db().query("DELETE FROM outbox_events");
  expect(await handedOver()).toEqual([]);
  const { rows } = await db().query("SELECT redispatches FROM turns WHERE id = $1", [turnId]);
  expect(rows).toEqual([{ redispatches: 1 }]);
});

it("leaves what has ended, however long ago", async () => {
  const { turnId } = await turnOf(0, { isRunning: true });
  await endTurn(turnId, 1, completedEnd());
  await db().query("UPDATE turns SET heartbeat_at = now() - interval '1 day'");
  expect(await handedOver()).toEqual([]);
});

it("hands over the first open turn of a session alone: the next is handed over when that one ends", async () => {
  const first = await turnOf(1_000);
  const { sessionId } = first;
  await turnOf(1_000, { sessionId });
  expect(await handedOver()).toEqual([first.turnId]);

  const ended = await claimedTurn(first.turnId);
  await endTurn(first.turnId, ended.generation, completedEnd(), ended);
  const third = await turnOf(1_000, { sessionId });
  await db().query("UPDATE turns SET heartbeat_at = now() - interval '1 hour' WHERE status = 'queued'");
  expect(await handedOver()).not.toContain(third.turnId);
});

it("leaves what another process hands over at that moment, and waits for nobody", async () => {
  const [taken, free] = [await turnOf(1_000), await turnOf(1_000)];
  await inTransaction(async (tx) => {
    await tx.query("SELECT FROM turns WHERE id = $1 FOR UPDATE", [taken.turnId]);
    expect(await handedOver()).toEqual([free.turnId]);
  });
});

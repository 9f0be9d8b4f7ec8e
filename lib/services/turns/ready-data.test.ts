import { afterAll, beforeEach, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, claimedTurn, completedEnd } from "@/e2e/support/test-turns";
import { db } from "@/lib/db/pool";
import { TURN_PRIORITY, turnPriority } from "@/lib/domain/turn-priority";
import { onRelayWake, type QueueEvent } from "@/lib/services/outbox/relay-wake";
import { sessionHub } from "@/lib/services/sessions/session-hub";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { redispatchTurns } from "@/lib/services/turns/redispatch-turns";

/** Every way in which a turn is handed to the queue says how far ahead it is, alike. */

const CASES = [
  { kind: "chat", endpoint: "POST /chat", expected: 600 },
  { kind: "process", endpoint: "POST /process", expected: 300 },
  { kind: "process", endpoint: "POST /process/batch", expected: 0 },
  { kind: "chat", endpoint: "POST /b2b/send", expected: 600 },
] as const;

/** How a file begins, how its session goes on, and how far ahead that is. */
const NEXT_CASES = [
  { first: "POST /process", next: "POST /chat", expected: 600 },
  { first: "POST /process/batch", next: "POST /chat", expected: 600 },
  { first: "POST /b2b/send", next: "POST /b2b/send", expected: 600 },
  { first: "POST /process", next: "POST /process/:id/retry", expected: 300 },
] as const;

let account: TestAccount;

useServiceDatabase();

beforeEach(async () => {
  account = await createTestAccount();
});

afterAll(() => sessionHub().close());

/** What the outbox has of a turn, which it has no more. */
async function takeReady(turnId: string): Promise<object[]> {
  const { rows } = await db().query<{ data: object }>(
    "DELETE FROM outbox_events WHERE name = 'turn/ready' AND data->>'turnId' = $1 RETURNING data",
    [turnId],
  );
  return rows.map(({ data }) => data);
}

it.each(CASES)("says $expected of a $kind by $endpoint", async ({ kind, endpoint, expected }) => {
  const { accountId, principal } = account;
  const woken: (QueueEvent[] | undefined)[] = [];
  const stop = onRelayWake((rows) => woken.push(rows));
  const { turnId, sessionId } = await acceptTurn(principal, chatTurn({ kind, endpoint }));
  stop();
  const data = { turnId, sessionId, accountId, priority: expected };
  expect(await takeReady(turnId)).toEqual([data]);
  expect(woken.flat().map((row) => row?.data)).toEqual([data]);
  expect(turnPriority(kind, endpoint, false)).toBe(expected);

  const next = await acceptTurn(principal, chatTurn({ sessionId, endpoint }));
  expect(await takeReady(next.turnId)).toEqual([]);
  await endTurn(turnId, (await claimedTurn(turnId)).generation, completedEnd());
  const nextData = { ...data, turnId: next.turnId };
  expect(await takeReady(next.turnId)).toEqual([nextData]);

  await db().query("UPDATE turns SET heartbeat_at = now() - interval '1 day' WHERE id = $1", [next.turnId]);
  await redispatchTurns(60);
  expect(await takeReady(next.turnId)).toEqual([nextData]);

  await endTurn(next.turnId, (await claimedTurn(next.turnId)).generation, completedEnd());
  const last = await acceptTurn(principal, chatTurn({ sessionId, endpoint }));
  expect(await takeReady(last.turnId)).toEqual([{ ...data, turnId: last.turnId }]);
});

it.each(NEXT_CASES)("says $expected of a $next that goes on with a file by $first", async (one) => {
  const { accountId, principal } = account;
  const { turnId, sessionId } = await acceptTurn(principal, chatTurn({ kind: "process", endpoint: one.first }));
  await takeReady(turnId);
  const next = await acceptTurn(principal, chatTurn({ sessionId, endpoint: one.next }));
  await endTurn(turnId, (await claimedTurn(turnId)).generation, completedEnd());
  const data = { sessionId, accountId, priority: one.expected };
  expect(await takeReady(next.turnId)).toEqual([{ ...data, turnId: next.turnId }]);

  await db().query("UPDATE turns SET heartbeat_at = now() - interval '1 day' WHERE id = $1", [next.turnId]);
  await redispatchTurns(60);
  expect(await takeReady(next.turnId)).toEqual([{ ...data, turnId: next.turnId }]);

  await endTurn(next.turnId, (await claimedTurn(next.turnId)).generation, completedEnd());
  const last = await acceptTurn(principal, chatTurn({ sessionId, endpoint: one.next }));
  expect(await takeReady(last.turnId)).toEqual([{ ...data, turnId: last.turnId }]);
  expect(turnPriority("process", one.next, true)).toBe(one.expected);
});

it("has priorities that Inngest takes and holds nothing back for, the chat's the highest and that of many files the lowest", () => {
  const { chat, process, bulk } = TURN_PRIORITY;
  expect(bulk).toBe(0);
  expect(process).toBeGreaterThan(bulk);
  expect(chat).toBeGreaterThan(process);
  expect(chat).toBeLessThanOrEqual(600);
});

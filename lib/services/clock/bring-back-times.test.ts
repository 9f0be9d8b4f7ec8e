import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { enqueueEvents } from "@/lib/db/outbox";
import { db, inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { bringBackTimes } from "@/lib/services/clock/bring-back-times";
import { claimKey } from "@/lib/services/idempotency/claim-key";
import { countAttempt } from "@/lib/services/people/throttle-attempts";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { queueSilenceSeconds } from "@/lib/services/turns/redispatch-turns";

const subject = { kind: "account", value: "ann@acme.example" } as const;
let account: TestAccount;

useServiceDatabase({ WEBHOOK_RETRY_DELAYS_SECONDS: "30,172800", TURN_STALE_SECONDS: "300" });
beforeAll(async () => {
  account = await createTestAccount();
});

/** Something of each kind that waits, and is due by now. */
async function fill(): Promise<void> {
  const { principal, accountId, projectId } = account;
  await acceptTurn(principal, chatTurn());
  const ended = await acceptTurn(principal, chatTurn());
  await endTurn(ended.turnId, null, completedEnd({ tokensIn: 1, tokensOut: 1, credits: 1 }));
  await inTransaction((tx) => enqueueEvents(tx, [{ name: "account/erase", data: { accountId: "acc_none" } }]));
  const deliveryId = newId("delivery");
  await db().query(
    `INSERT INTO webhook_deliveries (id, delivery_uuid, account_id, project_id, url, event, body, dedupe_key, status, next_attempt_at)
     VALUES ($1, $2, $3, $4, 'https://client.example', 'completion', '{}', $1, 'pending', now())`,
    [deliveryId, randomUUID(), accountId, projectId],
  );
  await db().query(
    "INSERT INTO webhook_attempts (delivery_id, number, started_at, request_headers) VALUES ($1, 1, now(), '{}')",
    [deliveryId],
  );
  await countAttempt(subject);
  const call = { key: "key", requestHash: Buffer.alloc(32), requestId: newId("request"), status: 202 };
  await claimKey(principal, call);
}

const TIMES = {
  outbox_events: "available_at",
  turns: "heartbeat_at",
  sessions: "last_activity_at",
  webhook_deliveries: "next_attempt_at",
  webhook_attempts: "started_at",
  sign_in_attempts: "locked_until",
  idempotency_keys: "locked_until",
};

async function setAll(ahead: string): Promise<void> {
  for (const [table, column] of Object.entries(TIMES)) {
    await db().query(`UPDATE ${table} SET ${column} = now() + $1::interval`, [ahead]);
  }
  await db().query("UPDATE idempotency_keys SET expires_at = locked_until + interval '1 day'");
}

async function tablesAhead(): Promise<string[]> {
  const found: string[] = [];
  for (const [table, column] of Object.entries(TIMES)) {
    const { rowCount } = await db().query(`SELECT 1 FROM ${table} WHERE ${column} > now() + interval '1 minute'`);
    if (rowCount) found.push(table);
  }
  return found;
}

it("brings back what a clock that was two hours ahead has left waiting, and nothing that may wait so long", async () => {
  await fill();
  // Clocks are set by moments all the time.
  await setAll("4 minutes");
  expect(await bringBackTimes()).toBe(0);
  expect(await tablesAhead()).toEqual(Object.keys(TIMES));

  await setAll("2 hours");
  await expect(countAttempt(subject)).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(await bringBackTimes()).toBeGreaterThan(0);
  // Of turns that ended and sessions in which one is open nothing is waited for.
  expect(await tablesAhead()).toEqual(["turns", "sessions"]);
  const { rows } = await db().query(
    `SELECT t.status, t.heartbeat_at <= now() AS turn, s.last_activity_at <= now() AS session
     FROM turns t JOIN sessions s ON s.id = t.session_id ORDER BY t.status`,
  );
  expect(rows).toEqual([
    { status: "completed", turn: false, session: true },
    { status: "queued", turn: true, session: false },
  ]);
  await countAttempt(subject);
  expect(await bringBackTimes()).toBe(0);
});

it.each([
  [0, "4 minutes", "6 minutes"],
  [1, "5 minutes", "6 minutes"],
  [2, "2 days 4 minutes", "2 days 6 minutes"],
  // One that was sent anew: all of its attempts are counted.
  [9, "2 days 4 minutes", "2 days 6 minutes"],
])("lets a delivery wait after %i attempts for %s, and not for %s", async (attempts, may, mayNot) => {
  const set = "UPDATE webhook_deliveries SET attempt_count = $1, next_attempt_at = now() + $2::interval";
  await db().query(set, [attempts, may]);
  expect(await bringBackTimes()).toBe(0);
  await db().query(set, [attempts, mayNot]);
  expect(await bringBackTimes()).toBe(1);
});

it("leaves a turn alone that is silent for as long as the settings let one wait in the queue", async () => {
  const { turnId } = await acceptTurn(account.principal, chatTurn());
  const silent = "UPDATE turns SET heartbeat_at = now() + make_interval(secs => $2) WHERE id = $1";
  await db().query(silent, [turnId, queueSilenceSeconds()]);
  expect(await bringBackTimes()).toBe(0);
});

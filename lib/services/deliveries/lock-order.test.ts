import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { attemptRows, deliveryRow } from "@/e2e/support/delivery-stage";
import { createTestAccount, type TestAccount } from "@/e2e/support/test-account";
import { createTestDatabase, type TestDatabase } from "@/e2e/support/test-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { chatTurn, completedEnd } from "@/e2e/support/test-turns";
import { whileHeld } from "@/e2e/support/while-held";
import { closePools, db, inTransaction } from "@/lib/db/pool";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { eraseRows } from "@/lib/services/data-rights/erase-rows";
import { type ClaimedAttempt, claimAttempt } from "@/lib/services/deliveries/claim-attempt";
import type { DeliveryToSend } from "@/lib/services/deliveries/load-delivery";
import { recordAttempt } from "@/lib/services/deliveries/record-attempt";
import { sendPastEvents } from "@/lib/services/deliveries/send-past-events";
import { removeSessions } from "@/lib/services/sessions/remove-sessions";
import { acceptTurn } from "@/lib/services/turns/accept-turn";
import { endTurn } from "@/lib/services/turns/end-turn";
import { deleteWebhook } from "@/lib/services/webhooks/delete-webhook";
import { updateWebhook } from "@/lib/services/webhooks/update-webhook";

const RECEIVER = "https://a.example/";

let database: TestDatabase;
let account: TestAccount;
let sessionId: string;
let registrationId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  useTestSettings(database.url);
});

beforeEach(async () => {
  account = await createTestAccount();
  const { sessionId: id, turnId } = await acceptTurn(account.principal, chatTurn());
  await endTurn(turnId, null, completedEnd());
  sessionId = id;
  registrationId = await seedRegistration({ ...account, url: RECEIVER, secret: newWebhookSecret() });
});

afterAll(async () => {
  await closePools();
  await database.drop();
});

/** Deliveries by their ids, which the database finds the other way round: those that changed last come last. */
async function deliveries(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++)
    ids.push((await seedDelivery({ ...account, registrationId, url: RECEIVER })).id);
  ids.sort();
  for (const id of ids.toReversed()) {
    await db().query("UPDATE webhook_deliveries SET session_id = $2, next_attempt_at = now() WHERE id = $1", [
      id,
      sessionId,
    ]);
  }
  return ids;
}

const claim = (deliveryId: string) => claimAttempt({ deliveryId, round: 1, number: 1 }, {});
const claimAll = (ids: string[]) => Promise.all(ids.map(claim));

function recordAll(attempts: (ClaimedAttempt | null)[]) {
  const delivery = { registrationId, isTest: false, url: RECEIVER } as DeliveryToSend;
  const answer = { status: 500, headers: {}, body: Buffer.alloc(0), durationMs: 1 };
  return Promise.all(
    attempts.flatMap((attempt) =>
      attempt ? [recordAttempt(delivery, attempt, answer, { status: "pending", delaySeconds: 60 })] : [],
    ),
  );
}

const HELD = "SELECT 1 FROM webhook_deliveries WHERE id = $1 FOR UPDATE";
const remove = () => inTransaction((tx) => removeSessions(tx, [sessionId]));
/** As the erasure of an account, of an end user, and the end of a time that logs are kept. */
const erase = (table: string, where: string) => eraseRows({ table, where, values: [account.accountId] });
const eraseDeliveries = () => erase("webhook_deliveries", "t.account_id = $1");
const eraseAttempts = () =>
  erase("webhook_attempts", "t.delivery_id IN (SELECT d.id FROM webhook_deliveries d WHERE d.account_id = $1)");
const answers = (row: object) => ({ status: "fulfilled", value: expect.objectContaining(row) });

describe("nobody who holds a delivery waits for who waits for it:", () => {
  it("the claims of several attempts and the removal of their session", async () => {
    const ids = await deliveries(2);
    const hold = { statement: HELD, id: ids[0] ?? "" };
    const [claimed, removed] = await whileHeld(hold, () => claimAll(ids), remove);
    expect(claimed).toMatchObject({ status: "fulfilled", value: ids.map((deliveryId) => ({ deliveryId })) });
    expect(removed).toEqual(answers({ webhook_attempts: 2, webhook_deliveries: 2 }));
  });

  it("the claim of an attempt whose process died and the removal of its session", async () => {
    const [id = ""] = await deliveries(1);
    await claim(id);
    await db().query("UPDATE webhook_attempts SET started_at = now() - interval '1 hour'");
    const [claimed, removed] = await whileHeld({ statement: HELD, id }, () => claim(id), remove);
    expect(claimed).toEqual(answers({ deliveryId: id }));
    expect(removed).toEqual(answers({ webhook_attempts: 1, webhook_deliveries: 1 }));
  });

  it("what came of attempts and the removal of their session", async () => {
    const ids = await deliveries(2);
    const attempts = await claimAll(ids);
    const hold = { statement: HELD, id: ids[0] ?? "" };
    const [recorded, removed] = await whileHeld(hold, () => recordAll(attempts), remove);
    expect(recorded).toEqual({ status: "fulfilled", value: [true, true] });
    expect(removed).toEqual(answers({ webhook_attempts: 2, webhook_deliveries: 2 }));
  });

  it("the claims of several attempts and the erasure of their deliveries", async () => {
    const ids = await deliveries(2);
    const hold = { statement: HELD, id: ids[0] ?? "" };
    const [claimed, erased] = await whileHeld(hold, () => claimAll(ids), eraseDeliveries);
    expect(claimed).toMatchObject({ status: "fulfilled", value: ids.map((deliveryId) => ({ deliveryId })) });
    expect(erased).toEqual({ status: "fulfilled", value: 2 });
  });

  it.each([
    ["removal of their session", remove],
    ["erasure of deliveries", eraseDeliveries],
  ])("the sending of past events to another receiver and the %s, which leaves nothing of them", async (_what, act) => {
    const ids = await deliveries(3);
    const webhookId = await seedRegistration({ ...account, url: "https://b.example/", secret: newWebhookSecret() });
    const hold = { statement: HELD, id: ids[1] ?? "" };
    const [sent, removed] = await whileHeld(hold, () => sendPastEvents(OPERATOR, account, webhookId), act);
    expect([sent, removed.status]).toEqual([{ status: "fulfilled", value: 3 }, "fulfilled"]);
    const { rows } = await db().query("SELECT FROM webhook_deliveries WHERE account_id = $1", [account.accountId]);
    expect(rows).toEqual([]);
  });

  it.each([
    ["deliveries", eraseDeliveries],
    ["attempts themselves", eraseAttempts],
  ])("what came of attempts and the erasure of their %s", async (_what, act) => {
    const ids = await deliveries(3);
    const attempts = await claimAll(ids.toReversed());
    const hold = { statement: HELD, id: ids[1] ?? "" };
    const [recorded, erased] = await whileHeld(hold, () => recordAll(attempts), act);
    expect(recorded).toEqual({ status: "fulfilled", value: [true, true, true] });
    expect(erased).toEqual({ status: "fulfilled", value: 3 });
    for (const id of ids) expect(await attemptRows(id)).toEqual([]);
  });

  it.each([
    ["deletion", "failed", () => deleteWebhook(OPERATOR, account, registrationId)],
    ["move", "pending", () => updateWebhook(OPERATOR, account, registrationId, { url: "https://b.example/" })],
  ])("what came of attempts and the %s of their receiver", async (_what, status, act) => {
    const ids = await deliveries(3);
    const attempts = await claimAll(ids);
    const hold = { statement: HELD, id: ids[1] ?? "" };
    const [recorded, acted] = await whileHeld(hold, () => recordAll(attempts), act);
    expect([recorded.status, acted.status]).toEqual(["fulfilled", "fulfilled"]);
    for (const id of ids) {
      expect(await deliveryRow(id)).toMatchObject({ status, attempt_count: 1 });
      expect(await attemptRows(id)).toMatchObject([{ response_status: 500 }]);
    }
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { seedDelivery, seedProject, seedRegistration } from "@/e2e/support/delivery-seeds";
import { attemptRows, deliveryRow, runDelivery, useDeliveryStage } from "@/e2e/support/delivery-stage";
import { whileHeld } from "@/e2e/support/while-held";
import { db, inTransaction } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { env } from "@/lib/env";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";
import { claimAttempt } from "@/lib/services/deliveries/claim-attempt";
import { resendDelivery } from "@/lib/services/deliveries/resend-delivery";

const stage = useDeliveryStage();
let owner: { accountId: string; projectId: string };

beforeEach(async () => {
  owner = await seedProject();
});

describe("an attempt that is asked for more than once", () => {
  it("is sent once, and gives the recorded outcome again", async () => {
    const receiver = await stage.startReceiver((request) => ({
      kind: "fail",
      status: request.path === "/bad" ? 500 : 200,
    }));
    const bad = await seedDelivery({ ...owner, url: `${receiver.url}/bad` });
    const first = await attemptDelivery(bad.id, 1, 1);
    expect(await attemptDelivery(bad.id, 1, 1)).toEqual(first);
    const good = await seedDelivery({ ...owner, url: receiver.url });
    await attemptDelivery(good.id, 1, 1);
    for (const number of [1, 2]) expect(await attemptDelivery(good.id, 1, number)).toEqual({ outcome: "delivered" });
    expect(receiver.requests).toHaveLength(2);
    // Whoever finds its maker gone looks at its age: one that has ended is nobody's to make again.
    await db().query("UPDATE webhook_attempts SET started_at = started_at - interval '1 hour' WHERE delivery_id = $1", [
      bad.id,
    ]);
    expect(await claimAttempt({ deliveryId: bad.id, round: 1, number: 1 }, {})).toBeNull();
  });

  it("gives the rest of the wait when it is asked for again during the wait", async () => {
    const receiver = await stage.startReceiver({ kind: "fail", status: 500 });
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    await attemptDelivery(id, 1, 1);
    await db().query("UPDATE webhook_deliveries SET next_attempt_at = now() + interval '20 minutes' WHERE id = $1", [
      id,
    ]);
    const again = await attemptDelivery(id, 1, 1);
    expect(again).toMatchObject({ outcome: "retry", nextNumber: 2 });
    expect("delaySeconds" in again && again.delaySeconds).toBeGreaterThan(1_190);
  });

  it("is sent once by many at the same time; the others are told to come back", async () => {
    const receiver = await stage.startReceiver({ kind: "slow", delayMs: 300 });
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => attemptDelivery(id, 1, 1)));
    expect(receiver.requests).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === "delivered")).toHaveLength(1);
    for (const result of outcomes.filter(({ outcome }) => outcome !== "delivered")) {
      expect(result).toMatchObject({ outcome: "retry", nextNumber: 1 });
      expect("delaySeconds" in result && result.delaySeconds).toBeGreaterThan(env().WEBHOOK_TIMEOUT_SECONDS);
    }
  });

  it("is made again by the next caller when the process that made it died", async () => {
    const receiver = await stage.startReceiver();
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    await db().query(
      `INSERT INTO webhook_attempts (delivery_id, round, number, started_at, request_headers)
       VALUES ($1, 1, 1, now() - interval '1 hour', '{}')`,
      [id],
    );
    expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "delivered" });
    // What is shown of it is what was sent now: its receiver would not take the signature of an hour ago.
    const [sent] = receiver.requests;
    const signature = sent?.headers["webhook-signature"] ?? sent?.headers["x-service-signature"];
    expect(signature).toBeTruthy();
    const [attempt] = await attemptRows(id);
    expect(attempt).toMatchObject({ response_status: 200 });
    expect(Object.values(attempt?.request_headers ?? {})).toContain(signature);
  });

  it("changes nothing when its process was taken for dead and comes back late", async () => {
    const receiver = await stage.startReceiver({ kind: "slow", delayMs: 400 });
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    const late = attemptDelivery(id, 1, 1);
    await receiver.waitForRequests(1);
    await db().query("UPDATE webhook_attempts SET started_at = now() - interval '1 hour' WHERE delivery_id = $1", [id]);
    expect(await late).toEqual({ outcome: "held" });
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", attempt_count: 0 });
    expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "delivered" });
  });

  it("belongs to its round: a round that a person has started since ends the earlier one", async () => {
    const receiver = await stage.startReceiver({ kind: "fail", status: 500 });
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    await attemptDelivery(id, 1, 1);
    await db().query("UPDATE webhook_deliveries SET round = 2 WHERE id = $1", [id]);
    expect(await attemptDelivery(id, 1, 2)).toEqual({ outcome: "held" });
    receiver.behave({ kind: "ok" });
    expect(await runDelivery(id, 2)).toEqual([{ outcome: "delivered" }]);
    expect((await attemptRows(id)).map((row) => [row.round, row.number])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it("leaves a round alone that a person has started while it was under way", async () => {
    const receiver = await stage.startReceiver({ kind: "slow", delayMs: 400 });
    const { id } = await seedDelivery({ ...owner, url: receiver.url });
    const late = attemptDelivery(id, 1, 1);
    await receiver.waitForRequests(1);
    expect(await resendDelivery(owner, id)).toEqual({ round: 2 });
    expect(await late).toEqual({ outcome: "held" });
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", round: 2, delivered_at: null });
    expect(await attemptDelivery(id, 2, 1)).toEqual({ outcome: "delivered" });
  });

  it("ends quietly when the delivery was erased", async () => {
    expect(await attemptDelivery("dlv_none", 1, 1)).toEqual({ outcome: "failed" });
  });
});

describe("a delivery that is closed without being sent", () => {
  /** Its registration was deleted: the worker finds that, and waits for who changes the delivery meanwhile. */
  async function closeWhile(statement: string) {
    const { id } = await seedDelivery({ ...owner, url: "https://a.example/", registrationId: newId("webhook") });
    await whileHeld<[unknown]>({ statement, id }, () => attemptDelivery(id, 1, 1));
    return deliveryRow(id);
  }

  it("is left alone when a person starts another round just then", async () => {
    const row = await closeWhile("UPDATE webhook_deliveries SET round = 2 WHERE id = $1");
    expect(row).toMatchObject({ round: 2, status: "pending", next_attempt_at: expect.any(Date) });
  });

  it("stays delivered when its receiver's answer comes just then", async () => {
    const row = await closeWhile("UPDATE webhook_deliveries SET status = 'delivered' WHERE id = $1");
    expect(row).toMatchObject({ status: "delivered" });
  });
});

describe("an attempt whose ground has gone since it was looked at", () => {
  const url = "https://a.example/";
  const register = (state: { active?: boolean; status?: string } = {}) =>
    seedRegistration({ ...owner, url, secret: newWebhookSecret(), ...state });
  const claim = (deliveryId: string) => claimAttempt({ deliveryId, round: 1, number: 1 }, {});

  it.each([{ status: "failed" }, { status: "inactive" }, { active: false }])(
    "is nobody's when its receiver is %o now, but for a test",
    async (state) => {
      const registrationId = await register(state);
      const { id } = await seedDelivery({ ...owner, url, registrationId });
      expect(await claim(id)).toBeNull();
      expect(await attemptRows(id)).toEqual([]);
      const test = await seedDelivery({ ...owner, url, registrationId, isTest: true });
      expect(await claim(test.id)).toMatchObject({ number: 1 });
    },
  );

  it("is nobody's when a person has started another round", async () => {
    const { id } = await seedDelivery({ ...owner, url, registrationId: await register() });
    await resendDelivery(owner, id);
    expect(await claim(id)).toBeNull();
    expect(await attemptRows(id)).toEqual([]);
  });

  it("is nobody's when its delivery is just being erased: its worker ends quietly", async () => {
    const { id } = await seedDelivery({ ...owner, url, registrationId: await register() });
    let attempt: Promise<unknown> = Promise.resolve();
    await inTransaction(async (tx) => {
      await tx.query("DELETE FROM webhook_deliveries WHERE id = $1", [id]);
      attempt = attemptDelivery(id, 1, 1).catch((error) => error);
      await expect.poll(isSomebodyWaiting).toBe(true);
    });
    expect(await attempt).toEqual({ outcome: "failed" });
  });

  it.each(["delivered", "failed", "held"])("is nobody's when its delivery is %s", async (status) => {
    const { id } = await seedDelivery({ ...owner, url, registrationId: await register(), status });
    expect(await claim(id)).toBeNull();
  });
});

async function isSomebodyWaiting(): Promise<boolean> {
  const { rowCount } = await db().query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rowCount !== 0;
}

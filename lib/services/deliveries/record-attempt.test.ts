import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { seedDelivery, seedProject, seedRegistration } from "@/e2e/support/delivery-seeds";
import {
  attemptRows,
  deliveryRow,
  registrationRow,
  runDelivery,
  useDeliveryStage,
  verifyRequest,
} from "@/e2e/support/delivery-stage";
import { db, hotDb } from "@/lib/db/pool";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";
import { attemptLeaseSeconds, claimAttempt } from "@/lib/services/deliveries/claim-attempt";
import { loadDelivery } from "@/lib/services/deliveries/load-delivery";
import { recordAttempt } from "@/lib/services/deliveries/record-attempt";

const secret = newWebhookSecret();
const stage = useDeliveryStage();
let owner: { accountId: string; projectId: string };

beforeEach(async () => {
  owner = await seedProject();
});

const addRegistration = (url: string, more: { active?: boolean; status?: string } = {}) =>
  seedRegistration({ ...owner, url, secret, ...more });

async function alertRows(subjectId: string) {
  return (await db().query("SELECT * FROM alerts WHERE subject_id = $1", [subjectId])).rows;
}

const response = { status: 500, headers: {}, body: Buffer.from(""), durationMs: 1 };

/** An attempt that is under way, and nobody writes down yet. */
async function begin() {
  const url = "https://a.example/";
  const registrationId = await addRegistration(url);
  const { id } = await seedDelivery({ ...owner, registrationId, url });
  const key = { deliveryId: id, round: 1, number: 1 };
  const [delivery, attempt] = [await loadDelivery(key), await claimAttempt(key, {})];
  if (!delivery || !attempt) throw new Error("The attempt did not begin.");
  return { id, registrationId, delivery, attempt };
}

describe("a delivery that fails for good", () => {
  it("is tried five times with the same bytes and UUID; then the registration is failed and one alert made", async () => {
    const receiver = await stage.startReceiver({ kind: "fail", status: 500 });
    const registrationId = await addRegistration(receiver.url);
    const others = await seedRegistration({ ...(await seedProject()), url: receiver.url, secret });
    const { id, deliveryUuid, body } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    const outcomes = await runDelivery(id);

    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["retry", "retry", "retry", "retry", "failed"]);
    expect(receiver.requests).toHaveLength(5);
    for (const request of receiver.requests) {
      expect(request.body.toString()).toBe(body);
      expect(request.headers["x-service-delivery"]).toBe(deliveryUuid);
      verifyRequest(request, secret);
    }
    expect(await deliveryRow(id)).toMatchObject({ status: "failed", attempt_count: 5, next_attempt_at: null });
    expect((await attemptRows(id)).map((row) => [row.number, row.response_status])).toEqual(
      [1, 2, 3, 4, 5].map((number) => [number, 500]),
    );
    const failed = { status: "failed", active: true, failed_at: expect.any(Date), last_delivery_at: null };
    expect(await registrationRow(registrationId)).toMatchObject(failed);
    const untouched = { status: "active", failed_at: null, last_delivery_at: null };
    expect(await registrationRow(others), "another account's, of the same address").toMatchObject(untouched);
    expect(await alertRows(others)).toEqual([]);
    expect(await alertRows(registrationId)).toMatchObject([
      {
        kind: "webhook.failed",
        account_id: owner.accountId,
        project_id: owner.projectId,
        message: expect.stringContaining("5 attempts"),
        data: { deliveryId: id },
      },
    ]);
  });
});

describe("a receiver whose address changes", () => {
  it("while a delivery is being written down is logged with the address that was called", async () => {
    const receiver = await stage.startReceiver((request) => ({
      kind: "fail",
      status: request.path === "/new" ? 500 : 200,
    }));
    const registrationId = await addRegistration(`${receiver.url}/new`);
    // As whoever wrote it down had read the address, before it was changed.
    const { id } = await seedDelivery({ ...owner, registrationId, url: `${receiver.url}/old` });
    expect(await attemptDelivery(id, 1, 1)).toMatchObject({ outcome: "retry" });
    expect(receiver.requests.map(({ path }) => path)).toEqual(["/new"]);
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", url: `${receiver.url}/new` });
  });

  it("during an attempt is logged with the address that has answered", async () => {
    const receiver = await stage.startReceiver({ kind: "slow", delayMs: 300 });
    const registrationId = await addRegistration(`${receiver.url}/old`);
    const { id } = await seedDelivery({ ...owner, registrationId, url: `${receiver.url}/old` });
    const attempt = attemptDelivery(id, 1, 1);
    await receiver.waitForRequests(1);
    const url = `${receiver.url}/new`;
    await db().query("UPDATE webhook_registrations SET url = $2 WHERE id = $1", [registrationId, url]);
    await db().query("UPDATE webhook_deliveries SET url = $2 WHERE id = $1", [id, url]);
    expect(await attempt).toEqual({ outcome: "delivered" });
    expect(await deliveryRow(id)).toMatchObject({ status: "delivered", url: `${receiver.url}/old` });
  });

  it("during the fifth attempt is not failed by what the old one did: nothing was sent to the new one yet", async () => {
    const receiver = await stage.startReceiver(() =>
      receiver.requests.length < 5 ? { kind: "fail", status: 500 } : { kind: "hang" },
    );
    const registrationId = await addRegistration(`${receiver.url}/old`);
    const { id } = await seedDelivery({ ...owner, registrationId, url: `${receiver.url}/old` });
    const run = runDelivery(id);
    await receiver.waitForRequests(5);
    const url = `${receiver.url}/new`;
    await db().query("UPDATE webhook_registrations SET url = $2 WHERE id = $1", [registrationId, url]);
    await receiver.close();
    expect((await run).at(-1)).toEqual({ outcome: "failed" });
    expect(await registrationRow(registrationId)).toMatchObject({ status: "active", url });
    expect(await alertRows(registrationId)).toEqual([]);
  });
});

describe("a database that is away when an answer comes", () => {
  /** Fails the next statements that write an attempt down, before or after they have run. */
  function loseRecords(count: number, { isWritten }: { isWritten: boolean }) {
    const pool = hotDb();
    const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
    let left = count;
    vi.spyOn(pool, "query").mockImplementation((async (...given: unknown[]) => {
      const isRecord = (given[0] as { name?: string }).name === "record-attempts" && left > 0;
      if (isRecord) left -= 1;
      const answer = isRecord && !isWritten ? undefined : await query(...given);
      if (isRecord) throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
      return answer;
    }) as never);
  }
  afterEach(() => vi.restoreAllMocks());

  it("is waited for: what was sent is written down and not sent again", async () => {
    const receiver = await stage.startReceiver();
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    loseRecords(2, { isWritten: false });
    expect(await attemptDelivery(id, 1, 1)).toEqual({ outcome: "delivered" });
    expect(receiver.requests).toHaveLength(1);
    expect(await deliveryRow(id)).toMatchObject({ status: "delivered", attempt_count: 1 });
  });

  it("is not waited for beyond the time that the attempt is its maker's", async () => {
    const { id, delivery, attempt } = await begin();
    const late = { ...response, status: 200, durationMs: attemptLeaseSeconds() * 1_000 + 1 };
    loseRecords(1, { isWritten: false });
    await expect(recordAttempt(delivery, attempt, late, { status: "delivered" })).rejects.toThrow(
      "Connection terminated",
    );
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", attempt_count: 0 });
  });

  it("and wrote it down unheard: the next look finds it, and nothing is sent again", async () => {
    const receiver = await stage.startReceiver({ kind: "fail", status: 500 });
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    loseRecords(1, { isWritten: true });
    await expect(attemptDelivery(id, 1, 1)).rejects.toThrow("Connection terminated");
    expect(await attemptDelivery(id, 1, 1)).toMatchObject({ outcome: "retry", nextNumber: 2 });
    expect(receiver.requests).toHaveLength(1);
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", attempt_count: 1 });
  });
});

describe("what came of an attempt", () => {
  it("does not bring back a delivery that was ended meanwhile, unless it arrived", async () => {
    const { id, delivery, attempt } = await begin();
    await db().query("UPDATE webhook_deliveries SET status = 'held', next_attempt_at = NULL WHERE id = $1", [id]);
    const again = { status: "pending", delaySeconds: 0 } as const;
    expect(await recordAttempt(delivery, attempt, response, again)).toBe(false);
    expect(await deliveryRow(id)).toMatchObject({ status: "held", next_attempt_at: null, attempt_count: 0 });
  });

  it("is told to each of those that end in the same moment as its own", async () => {
    const made = [await begin(), await begin(), await begin(), await begin()];
    await db().query("UPDATE webhook_deliveries SET status = 'held' WHERE id = $1", [made[2]?.id]);
    const again = { status: "pending", delaySeconds: 0 } as const;
    const moved = made.map(({ delivery, attempt }) => recordAttempt(delivery, attempt, response, again));
    expect(await Promise.all(moved)).toEqual([true, true, false, true]);
  });

  it("is nothing to a round that was begun meanwhile, nor to its registration", async () => {
    const { id, registrationId, delivery, attempt } = await begin();
    await db().query("UPDATE webhook_deliveries SET round = 2 WHERE id = $1", [id]);
    expect(await recordAttempt(delivery, attempt, response, { status: "failed" })).toBe(false);
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", round: 2, attempt_count: 0 });
    expect(await registrationRow(registrationId)).toMatchObject({ status: "active" });
    expect(await alertRows(registrationId)).toEqual([]);
  });

  it("fails no registration when the attempt was taken over: the other one's answer counts", async () => {
    const { id, registrationId, delivery, attempt: begun } = await begin();
    // As one that began long ago: the two might else begin in the same millisecond.
    const { rows } = await db().query(
      `UPDATE webhook_attempts SET started_at = now() - interval '1 hour' WHERE delivery_id = $1 RETURNING started_at AS "startedAt"`,
      [id],
    );
    const attempt = { ...begun, ...rows[0] };
    const next = await claimAttempt({ deliveryId: id, round: 1, number: 1 }, {});
    if (!next) throw new Error("The attempt was not taken over.");
    expect(await recordAttempt(delivery, attempt, response, { status: "failed" })).toBe(false);
    expect(await registrationRow(registrationId)).toMatchObject({ status: "active" });
    expect(await attemptRows(id)).toMatchObject([{ duration_ms: null }]);
    expect(await recordAttempt(delivery, next, { ...response, status: 200 }, { status: "delivered" })).toBe(true);
    expect(await deliveryRow(id)).toMatchObject({ status: "delivered", attempt_count: 1 });
  });

  it("moves the time of the registration's last delivery on, good to a second", async () => {
    const { registrationId, delivery, attempt } = await begin();
    await db().query("UPDATE webhook_registrations SET last_delivery_at = now() - interval '2 s' WHERE id = $1", [
      registrationId,
    ]);
    const before = (await registrationRow(registrationId)).last_delivery_at;
    await recordAttempt(delivery, attempt, { ...response, status: 200 }, { status: "delivered" });
    expect((await registrationRow(registrationId)).last_delivery_at.getTime()).toBeGreaterThan(before.getTime());
  });

  it("is not tried again where the database refuses it", async () => {
    const { delivery, attempt } = await begin();
    const refused = { ...response, headers: { "x-nul": "\u0000" } };
    await expect(recordAttempt(delivery, attempt, refused, { status: "delivered" })).rejects.toMatchObject({
      code: "22P05",
    });
  }, 5_000);
});

describe("a failed or switched-off registration", () => {
  it("gets nothing more: later attempts of its other deliveries are held, and there is one alert only", async () => {
    const receiver = await stage.startReceiver({ kind: "fail", status: 500 });
    const registrationId = await addRegistration(receiver.url);
    const add = async () => (await seedDelivery({ ...owner, registrationId, url: receiver.url })).id;
    const [first, second, third] = [await add(), await add(), await add()];
    // Two are at their last attempt at the same time.
    for (const id of [first, second])
      for (let number = 1; number < 5; number += 1) await attemptDelivery(id, 1, number);
    await Promise.all([attemptDelivery(first, 1, 5), attemptDelivery(second, 1, 5)]);
    const count = receiver.requests.length;

    expect(await runDelivery(third)).toEqual([{ outcome: "held" }]);
    expect(await attemptRows(third)).toEqual([]);
    expect(await deliveryRow(third)).toMatchObject({ status: "held", next_attempt_at: null, attempt_count: 0 });
    expect(receiver.requests).toHaveLength(count);
    expect(await alertRows(registrationId)).toHaveLength(1);
  });

  it.each([{ active: false, status: "inactive" }, { active: false }, { status: "failed" }])(
    "holds what was on its way, but still gets tests: %o",
    async (state) => {
      const receiver = await stage.startReceiver();
      const registrationId = await addRegistration(receiver.url, state);
      const held = await seedDelivery({ ...owner, registrationId, url: receiver.url });
      const test = await seedDelivery({ ...owner, registrationId, url: receiver.url, isTest: true });
      expect(await runDelivery(held.id)).toEqual([{ outcome: "held" }]);
      expect(await runDelivery(test.id)).toEqual([{ outcome: "delivered" }]);
      expect(receiver.requests.map(({ headers }) => headers["x-service-delivery"])).toEqual([test.deliveryUuid]);
    },
  );

  it("is not failed by a test, which has one attempt", async () => {
    const receiver = await stage.startReceiver({ kind: "fail", status: 500 });
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url, isTest: true });
    expect(await runDelivery(id)).toEqual([{ outcome: "failed" }]);
    expect(receiver.requests).toHaveLength(1);
    expect(await registrationRow(registrationId)).toMatchObject({ status: "active" });
    expect(await alertRows(registrationId)).toEqual([]);
  });

  it("ends the deliveries of one that was deleted, without sending", async () => {
    const receiver = await stage.startReceiver();
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    await db().query("DELETE FROM webhook_registrations WHERE id = $1", [registrationId]);
    expect(await runDelivery(id)).toEqual([{ outcome: "failed" }]);
    expect(receiver.requests).toEqual([]);
  });

  it("gets no further attempt of a delivery that was closed during one which fails", async () => {
    const receiver = await stage.startReceiver({ kind: "hang" });
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    const attempt = attemptDelivery(id, 1, 1);
    await receiver.waitForRequests(1);
    await db().query("UPDATE webhook_deliveries SET status = 'held', next_attempt_at = NULL WHERE id = $1", [id]);
    await receiver.close();
    expect(await attempt).toEqual({ outcome: "held" });
    expect(await deliveryRow(id)).toMatchObject({ status: "held", next_attempt_at: null });
  });

  it("has got what it answers to when it is deleted meanwhile", async () => {
    const receiver = await stage.startReceiver({ kind: "slow", delayMs: 300 });
    const registrationId = await addRegistration(receiver.url);
    const { id } = await seedDelivery({ ...owner, registrationId, url: receiver.url });
    const attempt = attemptDelivery(id, 1, 1);
    await receiver.waitForRequests(1);
    await db().query("UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE id = $1", [id]);
    await db().query("DELETE FROM webhook_registrations WHERE id = $1", [registrationId]);
    expect(await attempt).toEqual({ outcome: "delivered" });
    expect(await deliveryRow(id)).toMatchObject({ status: "delivered", delivered_at: expect.any(Date) });
  });
});

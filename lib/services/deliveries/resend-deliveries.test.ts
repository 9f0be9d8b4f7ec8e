import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import {
  addProject,
  type DeliverySeed,
  seedDelivery,
  seedProject,
  seedRegistration,
} from "@/e2e/support/delivery-seeds";
import { attemptRows, deliveryRow, runDelivery, useDeliveryStage, verifyRequest } from "@/e2e/support/delivery-stage";
import { whileHeld } from "@/e2e/support/while-held";
import { IS_NEWS } from "@/lib/db/outbox";
import { db } from "@/lib/db/pool";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { listAlerts } from "@/lib/services/alerts/list-alerts";
import { attemptDelivery } from "@/lib/services/deliveries/attempt-delivery";
import { countDeliveries, countUndelivered } from "@/lib/services/deliveries/count-deliveries";
import { getDelivery } from "@/lib/services/deliveries/get-delivery";
import { listDeliveries } from "@/lib/services/deliveries/list-deliveries";
import { resendDelivery, resendForPerson } from "@/lib/services/deliveries/resend-delivery";
import { resendFailedDeliveries } from "@/lib/services/deliveries/resend-failed-deliveries";
import { resendForAccount } from "@/lib/services/staff/resend-for-account";
import { reactivateWebhook } from "@/lib/services/webhooks/reactivate-webhook";
import { testWebhook } from "@/lib/services/webhooks/test-webhook";

const ACTOR = { kind: "operator" } as const;
const PAGE = { limit: 20, offset: 0 };
const secret = newWebhookSecret();
const stage = useDeliveryStage();
let owner: { accountId: string; projectId: string };

beforeEach(async () => {
  owner = await seedProject();
});

const register = (url: string, more: { active?: boolean; status?: string } = {}) =>
  seedRegistration({ ...owner, url, secret, ...more });

const seed = (registrationId: string | null, url: string, more: Partial<DeliverySeed> = {}) =>
  seedDelivery({ ...owner, registrationId, url, ...more });

async function audited(subject: string) {
  const { rows } = await db().query<{ action: string; actor_id: string | null; after: Record<string, unknown> }>(
    "SELECT action, actor_id, after FROM audit_log WHERE subject = $1 ORDER BY created_at, id",
    [subject],
  );
  return rows;
}

async function queuedRounds(id: string): Promise<number[]> {
  const { rows } = await db().query<{ round: number }>(
    "SELECT (data->>'round')::int AS round FROM outbox_events WHERE data->>'deliveryId' = $1 ORDER BY id",
    [id],
  );
  return rows.map(({ round }) => round);
}

describe("resendDelivery", () => {
  it("finds nothing of a delivery that is just being removed, and says in no audit log that it was sent", async () => {
    const { id } = await seed(null, "https://client.example/hook");
    const [sent] = await whileHeld({ statement: "DELETE FROM webhook_deliveries WHERE id = $1", id }, () =>
      resendForPerson(ACTOR, owner, id),
    );
    expect(sent).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    expect(await audited(id)).toEqual([]);
  });

  it("makes a new round of five attempts with the same bytes and UUID after five failed ones", async () => {
    const receiver = await stage.startReceiver({ kind: "fail", status: 500 });
    const registrationId = await register(receiver.url);
    const { id, deliveryUuid, body } = await seed(registrationId, receiver.url);
    expect((await runDelivery(id)).at(-1)).toEqual({ outcome: "failed" });
    expect((await listAlerts(owner, PAGE)).data).toHaveLength(1);
    await expect(resendDelivery(owner, id)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });

    await reactivateWebhook(ACTOR, owner, registrationId);
    expect(await resendDelivery(owner, id)).toEqual({ round: 2 });
    expect(await queuedRounds(id)).toEqual([2]);
    expect((await runDelivery(id, 2)).map(({ outcome }) => outcome)).toEqual([
      ...["retry", "retry", "retry", "retry"],
      "failed",
    ]);
    expect((await attemptRows(id)).map(({ round, number }) => [round, number])).toEqual([
      ...[1, 2, 3, 4, 5].map((number) => [1, number]),
      ...[1, 2, 3, 4, 5].map((number) => [2, number]),
    ]);
    expect(receiver.requests).toHaveLength(10);
    for (const request of receiver.requests) {
      expect(request.body.toString()).toBe(body);
      expect(request.headers["x-service-delivery"]).toBe(deliveryUuid);
      verifyRequest(request, secret);
    }
    expect((await listAlerts(owner, PAGE)).data, "it failed again").toHaveLength(1);
  });

  it("says in the audit log who of the account did it, and nothing when it was refused", async () => {
    const { id } = await seed(await register("https://a.example/"), "https://a.example/", { status: "failed" });
    await resendForPerson({ kind: "owner", userId: "usr_1" }, owner, id);
    await expect(resendForPerson(ACTOR, await seedProject(), id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await audited(id)).toEqual([{ action: "delivery.resend", actor_id: "usr_1", after: { round: 2 } }]);
  });

  it("is begun once by two who see the same, and the second is told; the audit log says what it was", async () => {
    const { id } = await seed(await register("https://a.example/"), "https://a.example/", { status: "failed" });
    const send = () => resendForPerson({ kind: "owner", userId: "usr_1" }, owner, id, 1);
    const both = await Promise.allSettled([send(), send()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(send()).rejects.toThrow("Nothing was changed: it was sent again by somebody else meanwhile.");
    expect(await queuedRounds(id)).toEqual([2]);
    const reason = "Receiver was repaired";
    const forStaff = (round: number) => resendForAccount({ kind: "staff" }, { deliveryId: id, reason, round });
    await expect(forStaff(1)).rejects.toThrow("it was sent again by somebody else");
    expect(await forStaff(2)).toEqual({ round: 3 });
    const { rows } = await db().query("SELECT before FROM audit_log WHERE subject = $1 ORDER BY created_at, id", [id]);
    expect(rows).toEqual([{ before: { round: 1 } }, { before: { status: "pending", round: 2 } }]);
  });

  it("goes to the address that the registration has now", async () => {
    const [old, fixed] = [await stage.startReceiver(), await stage.startReceiver()];
    const registrationId = await register(fixed.url);
    const { id } = await seed(registrationId, old.url, { status: "held" });
    const { round } = await resendDelivery(owner, id);
    expect(await runDelivery(id, round)).toEqual([{ outcome: "delivered" }]);
    expect([old.requests.length, fixed.requests.length]).toEqual([0, 1]);
  });

  it("gives up what the round before had planned", async () => {
    const receiver = await stage.startReceiver({ kind: "fail", status: 503 });
    const { id } = await seed(await register(receiver.url), receiver.url);
    await attemptDelivery(id, 1, 1);
    await resendDelivery(owner, id);
    receiver.behave({ kind: "ok" });
    expect(await attemptDelivery(id, 1, 2)).toEqual({ outcome: "held" });
    expect(await runDelivery(id, 2)).toEqual([{ outcome: "delivered" }]);
    expect(receiver.requests).toHaveLength(2);
  });

  it("sends again what has arrived, and a callback", async () => {
    const receiver = await stage.startReceiver();
    const { id } = await seed(null, receiver.url, { status: "delivered" });
    await db().query("UPDATE webhook_deliveries SET delivered_at = now() WHERE id = $1", [id]);
    const { round } = await resendDelivery(owner, id);
    expect(await deliveryRow(id)).toMatchObject({ status: "pending", delivered_at: null });
    expect(await runDelivery(id, round)).toEqual([{ outcome: "delivered" }]);
  });

  it("sends a test again also while its receiver is switched off", async () => {
    const receiver = await stage.startReceiver();
    const { id } = await seed(await register(receiver.url, { active: false, status: "inactive" }), receiver.url, {
      isTest: true,
    });
    const { round } = await resendDelivery(owner, id);
    expect(await runDelivery(id, round)).toEqual([{ outcome: "delivered" }]);
  });

  it("refuses when the receiver is switched off or deleted, and finds nothing of another project", async () => {
    const off = await seed(
      await register("https://a.example/", { active: false, status: "inactive" }),
      "https://a.example/",
    );
    await expect(resendDelivery(owner, off.id)).rejects.toThrow("The webhook is switched off.");
    const gone = await seed("whk_gone", "https://a.example/");
    await expect(resendDelivery(owner, gone.id)).rejects.toThrow("The webhook was deleted.");
    const held = await seed(await register("https://a.example/"), "https://a.example/", { status: "held" });
    const sibling = await addProject(owner.accountId);
    await seedDelivery({ ...sibling, url: "https://a.example/" });
    for (const stranger of [sibling, { ...owner, accountId: (await seedProject()).accountId }]) {
      for (const id of [held.id, "dlv_missing"]) {
        await expect(resendDelivery(stranger, id)).rejects.toMatchObject({
          code: "NOT_FOUND",
          message: "The delivery was not found.",
        });
      }
    }
    for (const { id } of [off, gone, held]) expect(await deliveryRow(id)).toMatchObject({ round: 1 });
  });
});

describe("resendFailedDeliveries", () => {
  it("sends what failed and what was held back, each once, and nothing else", async () => {
    const receiver = await stage.startReceiver();
    const registrationId = await register(receiver.url);
    const other = await register(receiver.url);
    const missed = [];
    for (const status of ["failed", "held", "held", "failed", "held"]) {
      missed.push((await seed(registrationId, receiver.url, { status })).id);
    }
    const left = [
      await seed(registrationId, receiver.url, { status: "delivered" }),
      await seed(registrationId, receiver.url, { status: "pending" }),
      await seed(registrationId, receiver.url, { status: "failed", isTest: true }),
      await seed(other, receiver.url, { status: "held" }),
    ];
    expect(await resendFailedDeliveries(owner, registrationId, { batchSize: 2, actor: ACTOR })).toBe(5);
    expect((await audited(registrationId)).map(({ action, after }) => [action, after.deliveries])).toEqual(
      [2, 2, 1].map((deliveries) => ["delivery.resend-failed", deliveries]),
    );
    // However many they are, what happens meanwhile is handed to the queue before them.
    const { rows: ahead } = await db().query(
      `SELECT id FROM outbox_events WHERE data->>'deliveryId' = ANY ($1) AND ${IS_NEWS}`,
      [missed],
    );
    expect(ahead).toEqual([]);
    for (const id of missed) {
      expect(await queuedRounds(id)).toEqual([2]);
      expect(await runDelivery(id, 2)).toEqual([{ outcome: "delivered" }]);
    }
    for (const { id } of left) expect(await deliveryRow(id)).toMatchObject({ round: 1 });
    expect(await resendFailedDeliveries(owner, registrationId)).toBe(0);
  });

  it("hands each over once when all of them fail again in the same moment", async () => {
    const registrationId = await register("https://a.example/");
    for (let index = 0; index < 3; index += 1) await seed(registrationId, "https://a.example/", { status: "failed" });
    await db().query(`
      CREATE FUNCTION fail_again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.status := 'failed'; RETURN NEW; END $$;
      CREATE TRIGGER fail_again BEFORE UPDATE ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION fail_again()`);
    onTestFinished(async () => void (await db().query("DROP FUNCTION fail_again CASCADE")));
    expect(await resendFailedDeliveries(owner, registrationId, { batchSize: 1 })).toBe(3);
  });

  it("hands each over once when two people press the button at once", async () => {
    const registrationId = await register("https://a.example/");
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) {
      ids.push((await seed(registrationId, "https://a.example/", { status: "held" })).id);
    }
    const press = () => resendFailedDeliveries(owner, registrationId, { batchSize: 30 });
    // Both have looked before either has sent anything.
    const hold = { statement: "SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE", id: ids[0] ?? "" };
    const counts = await whileHeld(hold, press, press);
    expect(counts.map((press) => press.status === "fulfilled" && press.value).sort()).toEqual([0, 20]);
    for (const id of ids) expect(await queuedRounds(id)).toEqual([2]);
  });

  it("refuses a registration that is not active, and finds none of another project or account", async () => {
    const failed = await register("https://a.example/", { status: "failed" });
    await expect(resendFailedDeliveries(owner, failed)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    for (const stranger of [await seedProject(), await addProject(owner.accountId)]) {
      await seedRegistration({ ...stranger, url: "https://a.example/", secret });
      for (const id of [failed, "whk_missing"]) {
        await expect(resendFailedDeliveries(stranger, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
      }
    }
  });
});

describe("a test send", () => {
  it("makes one attempt, whose failure leaves the registration as it is, without an alert", async () => {
    const receiver = await stage.startReceiver({ kind: "fail", status: 500 });
    for (const state of [{}, { active: false, status: "inactive" }, { status: "failed" }]) {
      const registrationId = await register(receiver.url, state);
      const { deliveryId } = await testWebhook(owner, registrationId);
      expect(await runDelivery(deliveryId)).toEqual([{ outcome: "failed" }]);
      const { rows } = await db().query("SELECT status FROM webhook_registrations WHERE id = $1", [registrationId]);
      expect(rows[0].status).toBe(state.status ?? "active");
    }
    expect(receiver.requests).toHaveLength(3);
    expect((await listAlerts(owner, PAGE)).data).toEqual([]);
  });
});

describe("the log of deliveries", () => {
  it("shows attempts in order, and in full for one delivery alone", async () => {
    let calls = 0;
    const receiver = await stage.startReceiver(() =>
      ++calls === 1 ? { kind: "fail", status: 503 } : { kind: "ok", body: "thanks 🙂", headers: { "x-own": "1" } },
    );
    const registrationId = await register(receiver.url);
    const { id, body, deliveryUuid } = await seed(registrationId, receiver.url);
    await runDelivery(id);

    const { data } = await listDeliveries(owner, PAGE, { webhookId: registrationId });
    expect(data).toMatchObject([
      {
        id,
        deliveryUuid,
        webhookId: registrationId,
        event: "completion",
        status: "delivered",
        isTest: false,
        attempts: [
          { round: 1, number: 1, responseStatus: 503, error: null },
          { round: 1, number: 2, responseStatus: 200, error: null },
        ],
      },
    ]);
    expect(JSON.stringify(data)).not.toContain("thanks");
    const detail = await getDelivery(owner, id);
    expect(detail.body).toBe(body);
    expect(detail.attempts[1]).toMatchObject({
      responseBody: "thanks 🙂",
      responseHeaders: { "x-own": "1" },
      requestHeaders: { "X-Service-Delivery": deliveryUuid },
    });
  });

  it("goes on behind a cursor without gap or repeat, also among deliveries of one moment", async () => {
    const registrationId = await register("https://a.example/");
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await seed(registrationId, "https://a.example/")).id);
    await db().query("UPDATE webhook_deliveries SET created_at = '2026-01-31T09:30:00.123Z' WHERE id = ANY($1)", [
      ids.slice(1, 4),
    ]);
    await db().query("UPDATE webhook_deliveries SET created_at = '2026-01-30T09:30:00Z' WHERE id = $1", [ids[4]]);
    const seen: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 5; pages += 1) {
      const page = await listDeliveries(owner, { limit: 2, cursor });
      seen.push(...page.data.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
    await expect(listDeliveries(owner, { limit: 2, cursor: "made up" })).rejects.toMatchObject({ param: "cursor" });
  });

  it("counts what arrived and what did not, by registration, without test events and what is older than a day", async () => {
    const registrationId = await register("https://a.example/");
    const states = ["delivered", "delivered", "failed", "held", "pending"];
    for (const status of states) await seed(registrationId, "https://a.example/", { status });
    await seed(registrationId, "https://a.example/", { status: "failed", isTest: true });
    const old = await seed(registrationId, "https://a.example/", { status: "failed" });
    await db().query("UPDATE webhook_deliveries SET created_at = now() - interval '25 hours' WHERE id = $1", [old.id]);
    expect([...(await countDeliveries(owner))]).toEqual([[registrationId, { delivered: 2, undelivered: 2 }]]);
    expect(await countUndelivered(owner, registrationId), "whatever its age").toEqual({ count: 3, hasMore: false });
    expect([...(await countDeliveries(await seedProject()))]).toEqual([]);
    expect(await countUndelivered(await seedProject(), registrationId)).toEqual({ count: 0, hasMore: false });
  });

  it("is filtered by status, event, session and registration, newest first, and by project always", async () => {
    const registrationId = await register("https://a.example/");
    const ids = [];
    for (const status of ["failed", "held", "failed"]) {
      ids.unshift((await seed(registrationId, "https://a.example/", { status })).id);
    }
    const list = async (filters: Parameters<typeof listDeliveries>[2]) =>
      (await listDeliveries(owner, PAGE, filters)).data.map(({ id }) => id);
    expect(await list({})).toEqual(ids);
    expect(await list({ status: "failed" })).toEqual([ids[0], ids[2]]);
    expect(await list({ event: "error" })).toEqual([]);
    expect(await list({ webhookId: "whk_other" })).toEqual([]);
    expect(await list({ sessionId: "ses_other" })).toEqual([]);
    const callback = await seed(null, "https://a.example/");
    expect(await list({ webhookId: null })).toEqual([callback.id]);
    const stranger = await seedProject();
    expect((await listDeliveries(stranger, PAGE)).data).toEqual([]);
    for (const id of [ids[0] ?? "", "dlv_missing", "dlv_\u0000"]) {
      await expect(getDelivery(stranger, id)).rejects.toMatchObject({ message: "The delivery was not found." });
    }
  });
});

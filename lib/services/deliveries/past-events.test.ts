import { beforeEach, describe, expect, it } from "vitest";
import {
  addProject,
  type RegistrationSeed,
  seedDelivery,
  seedProject,
  seedRegistration,
} from "@/e2e/support/delivery-seeds";
import { deliveryRow, runDelivery, useDeliveryStage, verifyRequest } from "@/e2e/support/delivery-stage";
import { whileHeld } from "@/e2e/support/while-held";
import type { PastEventsSpan } from "@/lib/contracts/deliveries";
import { SAMPLE_EVENTS, type WebhookPayload } from "@/lib/contracts/webhook-events";
import { IS_BEHIND, IS_NEWS } from "@/lib/db/outbox";
import { db, inTransaction } from "@/lib/db/pool";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { type EmitInput, emitDeliveries } from "@/lib/services/deliveries/emit-deliveries";
import { countPastEvents, sendPastEvents } from "@/lib/services/deliveries/send-past-events";
import { listOtherReceivers, sendToReceiver } from "@/lib/services/deliveries/send-to-receiver";

const ACTOR = { kind: "owner", userId: "usr_1" } as const;
const URL_OF = { old: "https://old.example/", callback: "https://callback.example/", new: "https://new.example/" };
const secret = newWebhookSecret();
const stage = useDeliveryStage();
let owner: { accountId: string; projectId: string };
let events = 0;

beforeEach(async () => {
  owner = await seedProject();
});

const register = (more: Partial<RegistrationSeed> = {}) =>
  seedRegistration({ ...owner, url: URL_OF.new, secret, ...more });

/** What happens once, to whoever is registered by then; gives the ids of its deliveries. */
async function happen(event: WebhookPayload = SAMPLE_EVENTS.completion, more: Partial<EmitInput> = {}) {
  events += 1;
  const dedupeKey = `trn_${events}:${event.type}:2026-11-27T10:00:00.000Z`;
  const of = { ...owner, sessionId: "ses_1", turnId: `trn_${events}`, endUserId: "customer-42", callbackUrl: null };
  await inTransaction((tx) => emitDeliveries(tx, [{ ...of, event, dedupeKey, ...more }]));
  const { rows } = await db().query<{ id: string }>(
    "SELECT id FROM webhook_deliveries WHERE starts_with(dedupe_key, $1) ORDER BY id",
    [dedupeKey],
  );
  return rows.map(({ id }) => id) as [string, ...string[]];
}

const at = (id: string, time: string) =>
  db().query("UPDATE webhook_deliveries SET created_at = $2 WHERE id = $1", [id, time]);

async function sentTo(webhookId: string) {
  const { rows } = await db().query("SELECT * FROM webhook_deliveries WHERE registration_id = $1 ORDER BY id", [
    webhookId,
  ]);
  return rows;
}

async function audited(subject: string) {
  const { rows } = await db().query<{ action: string; actor_id: string; after: object }>(
    "SELECT action, actor_id, after FROM audit_log WHERE subject = $1 ORDER BY id",
    [subject],
  );
  return rows;
}

async function queued(id: string): Promise<number> {
  return (await prioritiesOf(id)).length;
}

async function prioritiesOf(id: string): Promise<number[]> {
  const { rows } = await db().query<{ priority: number }>(
    "SELECT (data->>'priority')::int AS priority FROM outbox_events WHERE data->>'deliveryId' = $1",
    [id],
  );
  return rows.map(({ priority }) => priority);
}

describe("sendToReceiver", () => {
  it("has what happened some time ago wait behind what happens now", async () => {
    await register({ url: URL_OF.old });
    const [[old], [fresh]] = [await happen(), await happen()];
    expect(await prioritiesOf(old)).toEqual([600]);
    await db().query("UPDATE webhook_deliveries SET created_at = now() - interval '1 hour' WHERE id = $1", [old]);
    const webhookId = await register();
    for (const deliveryId of [old, fresh]) await sendToReceiver(ACTOR, owner, { deliveryId, webhookId });
    const sent = await sentTo(webhookId);
    expect(await Promise.all(sent.map(({ id }) => prioritiesOf(id)))).toEqual([[0], [600]]);
  });

  it("sends the same bytes as a delivery of its own, signed by the other receiver's secret, at the time of the event", async () => {
    const receiver = await stage.startReceiver();
    await register({ url: URL_OF.old, secret: newWebhookSecret() });
    const [id] = await happen();
    await at(id, "2026-11-01T10:00:00.123Z");
    const webhookId = await register({ url: receiver.url });

    const { deliveryId } = await sendToReceiver(ACTOR, owner, { deliveryId: id, webhookId });
    expect(await queued(deliveryId)).toBe(1);
    const { rows: behind } = await db().query(
      `SELECT id FROM outbox_events WHERE data->>'deliveryId' = $1 AND ${IS_BEHIND}`,
      [deliveryId],
    );
    expect(behind, "for a single one somebody waits").toEqual([]);
    expect(await runDelivery(deliveryId)).toEqual([{ outcome: "delivered" }]);
    const [before, copy] = [await deliveryRow(id), await deliveryRow(deliveryId)];
    const [request] = receiver.requests;
    expect(request?.body.toString()).toBe(before.body);
    expect(request?.headers["x-service-delivery"]).toBe(copy.delivery_uuid);
    expect(copy.delivery_uuid).not.toBe(before.delivery_uuid);
    if (request) verifyRequest(request, secret);
    const same = ["event", "session_id", "turn_id", "end_user_id", "created_at", "account_id", "project_id"];
    for (const name of same) expect(copy[name], name).toEqual(before[name]);
    expect(await audited(deliveryId)).toEqual([
      { action: "delivery.send-to-receiver", actor_id: "usr_1", after: { webhookId, copyOf: id } },
    ]);
  });

  it("sends it once, however often it is asked: then it tells of that delivery", async () => {
    await register({ url: URL_OF.old });
    const [id] = await happen();
    const webhookId = await register();
    const press = () => sendToReceiver(ACTOR, owner, { deliveryId: id, webhookId });
    const hold = { statement: "SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE", id };
    const answers = await whileHeld(hold, press, press);
    const [copy, ...others] = await sentTo(webhookId);
    expect(others).toEqual([]);
    for (const answer of answers) expect(answer).toMatchObject({ value: { deliveryId: copy.id } });
    expect(await press()).toEqual({ deliveryId: copy.id });
    expect(await queued(copy.id)).toBe(1);
    expect(await audited(copy.id)).toHaveLength(1);
  });

  it("sends nothing to a receiver that had the event at first hand", async () => {
    const both = [await register({ url: URL_OF.old }), await register()];
    const ids = await happen();
    const [first = "", second = ""] = both;
    const of = Object.fromEntries(
      await Promise.all(ids.map(async (id) => [(await deliveryRow(id)).registration_id, id])),
    );
    for (const webhookId of both) {
      const answer = await sendToReceiver(ACTOR, owner, { deliveryId: of[first], webhookId });
      expect(answer).toEqual({ deliveryId: of[webhookId] });
    }
    expect(await sentTo(second)).toHaveLength(1);
    expect(await sentTo(first)).toHaveLength(1);
  });

  it("offers active webhooks of the project that take the kind and have not got it, and no other", async () => {
    const old = await register({ url: URL_OF.old });
    const [id] = await happen();
    const newer = [await register(), await register({ url: `${URL_OF.new}second` })];
    await register({ events: ["error"] });
    await register({ status: "failed" });
    await register({ active: false, status: "inactive" });
    await register(await addProject(owner.accountId));
    expect((await listOtherReceivers(owner, id)).map((receiver) => receiver.id)).toEqual(newer.toReversed());
    await sendToReceiver(ACTOR, owner, { deliveryId: id, webhookId: newer[0] ?? "" });
    expect((await listOtherReceivers(owner, id)).map((receiver) => receiver.id)).toEqual([newer[1]]);
    expect(await listOtherReceivers(await seedProject(), id)).toEqual([]);
    const test = await seedDelivery({ ...owner, registrationId: old, url: URL_OF.old, isTest: true });
    expect(await listOtherReceivers(owner, test.id)).toEqual([]);
  });

  it("refuses what is off, takes no such events or is not of the project, and test events", async () => {
    const old = await register({ url: URL_OF.old });
    const [deliveryId] = await happen();
    const on = await register();
    const send = (from: string, webhookId: string, scope = owner) =>
      sendToReceiver(ACTOR, scope, { deliveryId: from, webhookId });
    await expect(send(deliveryId, await register({ status: "failed" }))).rejects.toThrow(
      "The webhook is switched off.",
    );
    await expect(send(deliveryId, await register({ events: ["error"] }))).rejects.toThrow(
      "The webhook does not take completion events.",
    );
    const test = await seedDelivery({ ...owner, registrationId: old, url: URL_OF.old, isTest: true });
    await expect(send(test.id, on)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const sibling = await addProject(owner.accountId);
    const theirs = await register(sibling);
    for (const webhookId of [theirs, "whk_missing"]) {
      await expect(send(deliveryId, webhookId)).rejects.toMatchObject({ message: "The webhook was not found." });
    }
    for (const scope of [sibling, { ...owner, accountId: (await seedProject()).accountId }]) {
      await expect(send(deliveryId, theirs, scope)).rejects.toMatchObject({ message: "The delivery was not found." });
    }
    expect(await sentTo(on)).toEqual([]);
    expect(await sentTo(theirs)).toEqual([]);
  });

  it("makes nothing of a delivery that goes with its session in that moment", async () => {
    await register({ url: URL_OF.old });
    const [id] = await happen();
    const webhookId = await register();
    const hold = { statement: "DELETE FROM webhook_deliveries WHERE id = $1", id };
    const [sent] = await whileHeld(hold, () => sendToReceiver(ACTOR, owner, { deliveryId: id, webhookId }));
    expect(sent).toMatchObject({ status: "rejected", reason: { code: "NOT_FOUND" } });
    expect(await sentTo(webhookId)).toEqual([]);
  });
});

describe("sendPastEvents", () => {
  it("sends each event that others got once, oldest first, and none of another kind, a test or another project", async () => {
    const gone = await register({ url: URL_OF.old });
    const [first] = await happen();
    await register({ url: `${URL_OF.old}too`, events: ["completion", "session.started"] });
    const [second] = await happen(SAMPLE_EVENTS.completion, { callbackUrl: URL_OF.callback });
    await db().query("DELETE FROM webhook_registrations WHERE id = $1", [gone]);
    await happen(SAMPLE_EVENTS["session.started"]);
    const [third] = await happen(SAMPLE_EVENTS.error, { callbackUrl: URL_OF.callback });
    await seedDelivery({ ...owner, url: URL_OF.old, isTest: true });
    const sibling = await addProject(owner.accountId);
    await seedDelivery({ ...sibling, url: URL_OF.old });
    await at(third, "2026-11-01T10:00:00Z");
    const webhookId = await register({ events: ["completion", "error"] });
    await happen();

    const all = { count: 3, hasMore: false, oldestAt: "2026-11-01T10:00:00.000Z", lookedUntil: null };
    expect(await countPastEvents(owner, webhookId)).toEqual(all);
    expect(await sendPastEvents(ACTOR, owner, webhookId, {}, { batchSize: 2 })).toBe(3);
    const [atFirstHand, ...copies] = await sentTo(webhookId);
    expect(copies.map(({ turn_id }) => turn_id)).toEqual(
      await Promise.all([third, first, second].map(async (id) => (await deliveryRow(id)).turn_id)),
    );
    for (const { id } of [atFirstHand, ...copies]) expect(await queued(id)).toBe(1);
    const { rows: ahead } = await db().query(
      `SELECT id FROM outbox_events WHERE data->>'deliveryId' = ANY ($1) AND ${IS_NEWS}`,
      [copies.map(({ id }) => id)],
    );
    expect(ahead, "what happens meanwhile is handed to the queue before them").toEqual([]);
    expect((await audited(webhookId)).map(({ action, after }) => [action, after])).toEqual([
      ["delivery.send-past", { deliveries: 2 }],
      ["delivery.send-past", { deliveries: 1 }],
    ]);
    expect(await countPastEvents(owner, webhookId)).toMatchObject({ count: 0, hasMore: false, oldestAt: null });
    expect(await sendPastEvents(ACTOR, owner, webhookId)).toBe(0);
  });

  it("goes by when events happened, also of one that was itself sent later on", async () => {
    await register({ url: URL_OF.old });
    const times = ["2026-11-01T10:00:00Z", "2026-11-02T10:00:00Z", "2026-11-03T10:00:00Z"];
    for (const time of times) await at((await happen())[0], time);
    await sendPastEvents(ACTOR, owner, await register());
    const webhookId = await register();
    const span = { from: new Date("2026-11-02T10:00:00Z"), to: new Date("2026-11-03T10:00:00Z") };
    expect(await countPastEvents(owner, webhookId, span)).toMatchObject({ count: 1 });
    expect(await sendPastEvents(ACTOR, owner, webhookId, span)).toBe(1);
    expect((await sentTo(webhookId)).map(({ created_at }) => created_at)).toEqual([span.from]);
    expect(await audited(webhookId)).toMatchObject([
      { after: { deliveries: 1, from: span.from.toISOString(), to: span.to.toISOString() } },
    ]);
  });

  it("looks at the oldest deliveries alone where there are many, says up to when, and goes on from there", async () => {
    const old = await register({ url: URL_OF.old });
    const ids: string[] = [];
    for (let day = 1; day <= 5; day += 1) ids.push((await happen())[0]);
    await Promise.all(ids.map((id, index) => at(id, `2026-11-0${index + 1}T10:00:00.000Z`)));
    const webhookId = await register();
    const count = (span: PastEventsSpan) => countPastEvents(owner, webhookId, span, { most: 2 });
    const [third, fifth] = ["2026-11-03T10:00:00.000Z", "2026-11-05T10:00:00.000Z"];
    expect(await count({})).toMatchObject({ count: 2, hasMore: false, lookedUntil: third });
    expect(await count({ from: new Date(third) })).toMatchObject({ count: 2, oldestAt: third, lookedUntil: fifth });
    expect(await count({ from: new Date(fifth) })).toMatchObject({ count: 1, lookedUntil: null });
    expect(await sendPastEvents(ACTOR, owner, webhookId, { to: new Date(third) })).toBe(2);
    // What was sent is looked at, too, and is of the same time.
    expect(await count({})).toMatchObject({ count: 0, lookedUntil: "2026-11-02T10:00:00.000Z" });
    expect(await countPastEvents(owner, old, {}, { most: 7 })).toMatchObject({ count: 0, lookedUntil: null });
  });

  it("leaves what a receiver did not take to be sent again, and takes the rest with the next press", async () => {
    const webhookId = await register();
    const [failed] = await happen();
    await db().query("UPDATE webhook_deliveries SET status = 'failed' WHERE id = $1", [failed]);
    const other = await register({ url: URL_OF.old });
    for (const turn of [1, 2, 3]) await happen(SAMPLE_EVENTS.completion, { turnId: `trn_${turn}` });
    await db().query("DELETE FROM webhook_deliveries WHERE registration_id = $1 AND id <> $2", [webhookId, failed]);
    const press = () => sendPastEvents(ACTOR, owner, webhookId, {}, { most: 2 });
    expect([await press(), await press(), await press()]).toEqual([2, 1, 0]);
    expect(await deliveryRow(failed)).toMatchObject({ status: "failed", round: 1 });
    expect(await sentTo(other)).toHaveLength(3);
  });

  it("sends each once when two people press the button at once", async () => {
    await register({ url: URL_OF.old });
    const ids: string[] = [];
    for (let count = 0; count < 10; count += 1) ids.push(...(await happen()));
    const webhookId = await register();
    const press = () => sendPastEvents(ACTOR, owner, webhookId);
    const hold = { statement: "SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE", id: ids[0] ?? "" };
    const counts = await whileHeld(hold, press, press);
    expect(counts.map((count) => count.status === "fulfilled" && count.value).sort()).toEqual([0, 10]);
    expect(await sentTo(webhookId)).toHaveLength(10);
  });

  it("refuses a webhook that is off, and finds none of another project or account", async () => {
    await register({ url: URL_OF.old });
    await happen();
    const off = await register({ status: "failed" });
    await expect(sendPastEvents(ACTOR, owner, off)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await countPastEvents(owner, off), "it may be switched on for them").toMatchObject({ count: 1 });
    for (const stranger of [await seedProject(), await addProject(owner.accountId)]) {
      for (const id of [off, "whk_missing"]) {
        await expect(sendPastEvents(ACTOR, stranger, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
        await expect(countPastEvents(stranger, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
      }
    }
    expect(await sentTo(off)).toEqual([]);
  });
});

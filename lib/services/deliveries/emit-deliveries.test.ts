import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type RegistrationSeed, seedProject, seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { SAMPLE_EVENTS, type WebhookPayload } from "@/lib/contracts/webhook-events";
import { db, inTransaction, type Transaction } from "@/lib/db/pool";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { type EmitInput, emitDeliveries } from "@/lib/services/deliveries/emit-deliveries";

let accountId = "";
let projectId = "";

useServiceDatabase();
beforeEach(async () => {
  ({ accountId, projectId } = await seedProject());
  await db().query("DELETE FROM outbox_events");
});

async function addRegistration(events: string[], more: Partial<RegistrationSeed> = {}) {
  const url = `https://receiver-${randomUUID()}.example/in`;
  return seedRegistration({ accountId, projectId, url, events, secret: newWebhookSecret(), ...more });
}

function input(event: WebhookPayload, more: Partial<EmitInput> = {}): EmitInput {
  return {
    accountId,
    projectId,
    sessionId: event.sessionId,
    turnId: "trn_1",
    endUserId: event.endUserId,
    callbackUrl: null,
    event,
    dedupeKey: `${projectId}:${event.type}`,
    ...more,
  };
}

const emit = (event: WebhookPayload, more: Partial<EmitInput> = {}) =>
  inTransaction((tx) => emitDeliveries(tx, [input(event, more)]));

async function deliveries() {
  const { rows } = await db().query(
    "SELECT * FROM webhook_deliveries WHERE project_id = $1 ORDER BY registration_id NULLS LAST",
    [projectId],
  );
  return rows;
}

async function outbox() {
  const { rows } = await db().query<{ name: string; data: { deliveryId: string; round: number; receiver: string } }>(
    "SELECT name, data FROM outbox_events ORDER BY id",
  );
  return rows;
}

describe("emitDeliveries", () => {
  it("writes one row and one outbox event per active registration of the project that wants the kind", async () => {
    const wanting = [await addRegistration(["completion", "error"]), await addRegistration(["completion"])].sort();
    await addRegistration(["error", "session.started"]);
    for (const off of [{ active: false, status: "inactive" }, { active: false }, { status: "inactive" }])
      await addRegistration(["completion"], off);
    await addRegistration(["completion"], { projectId: (await seedProject()).projectId });
    await emit(SAMPLE_EVENTS.completion);

    const rows = await deliveries();
    expect(rows.map((row) => row.registration_id)).toEqual(wanting);
    for (const row of rows) {
      expect(row).toMatchObject({
        account_id: accountId,
        event: "completion",
        session_id: SAMPLE_EVENTS.completion.sessionId,
        turn_id: "trn_1",
        end_user_id: "customer-42",
        status: "pending",
        attempt_count: 0,
        round: 1,
        is_test: false,
        dedupe_key: `${projectId}:completion:${row.registration_id}`,
      });
      expect(row.id).toMatch(/^dlv_/);
      expect(row.next_attempt_at).toBeInstanceOf(Date);
      expect(JSON.parse(row.body)).toEqual(SAMPLE_EVENTS.completion);
    }
    expect(new Set(rows.map((row) => row.delivery_uuid)).size).toBe(2);
    const handedOver = rows.map((row) => ({ name: "delivery/ready", deliveryId: row.id, round: 1 }));
    expect(await outbox()).toHaveLength(2);
    expect((await outbox()).map(({ name, data }) => ({ name, ...data }))).toEqual(
      expect.arrayContaining(handedOver.map((event) => expect.objectContaining(event))),
    );
  });

  it("gives registrations of all an account's projects places of their own, which those beyond 31 share", async () => {
    const ids = [await addRegistration(["completion"], { projectId: (await seedProject()).projectId })];
    for (let index = 0; index < 33; index += 1) ids.push(await addRegistration(["completion"]));
    const inOrder = ids.toSorted();
    await emit(SAMPLE_EVENTS.completion);
    const registrations = new Map((await deliveries()).map((row) => [row.id, row.registration_id]));
    const events = await outbox();
    expect(events).toHaveLength(33);
    for (const { data } of events) {
      const place = Math.min(31, inOrder.indexOf(registrations.get(data.deliveryId)));
      expect(data.receiver).toBe(`${accountId} webhook ${place}`);
    }
  });

  it.each(["completion", "error"] as const)("tells the callback of %s, by its account and host", async (kind) => {
    await emit(SAMPLE_EVENTS[kind], { callbackUrl: "https://callback.example:8443/done?x=1" });
    expect(await deliveries()).toMatchObject([
      {
        registration_id: null,
        url: "https://callback.example:8443/done?x=1",
        dedupe_key: `${projectId}:${kind}:callback`,
      },
    ]);
    expect((await outbox())[0]?.data.receiver).toMatch(new RegExp(`^${accountId} callbacks \\d+$`));
  });

  it.each(["session.started", "session.timeout", "tokens.exceeded"] as const)(
    "does not tell the callback of %s",
    async (kind) => {
      const registration = await addRegistration([kind]);
      await emit(SAMPLE_EVENTS[kind], { callbackUrl: "https://callback.example/done" });
      expect((await deliveries()).map((row) => row.registration_id)).toEqual([registration]);
    },
  );

  it("adds nothing when the same is emitted again, also at once from several processes", async () => {
    for (let index = 0; index < 6; index += 1) await addRegistration(["completion"]);
    const once = () => emit(SAMPLE_EVENTS.completion, { callbackUrl: "https://callback.example/done" });
    await Promise.all([once(), once(), once()]);
    await once();
    expect(await deliveries()).toHaveLength(7);
    expect(await outbox()).toHaveLength(7);
  });

  it("serves any number of registrations", async () => {
    for (let index = 0; index < 23; index += 1) await addRegistration(["completion"]);
    await emit(SAMPLE_EVENTS.completion, { callbackUrl: "https://callback.example/done" });
    expect(new Set((await deliveries()).map((row) => row.id)).size).toBe(24);
    expect(await outbox()).toHaveLength(24);
  });

  it("holds back what a failed registration would have got, without handing it to the queue", async () => {
    await addRegistration(["completion"], { status: "failed" });
    const registration = await addRegistration(["completion"]);
    await emit(SAMPLE_EVENTS.completion);
    const rows = await deliveries();
    expect(rows.map((row) => row.status).sort()).toEqual(["held", "pending"]);
    expect(rows.find((row) => row.status === "held")?.next_attempt_at).toBeNull();
    const sent = rows.find((row) => row.registration_id === registration);
    expect((await outbox()).map(({ data }) => data.deliveryId)).toEqual([sent?.id]);
  });

  it("leaves nothing behind when the transaction does not commit", async () => {
    await addRegistration(["completion"]);
    const failing = inTransaction(async (tx) => {
      await emitDeliveries(tx, [input(SAMPLE_EVENTS.completion)]);
      throw new Error("later");
    });
    await expect(failing).rejects.toThrow("later");
    expect([await deliveries(), await outbox()]).toEqual([[], []]);
  });

  it("takes one statement when nobody is to be told, and two for a callback", async () => {
    const count = (more: Partial<EmitInput>) =>
      inTransaction(async (tx) => {
        const query = vi.fn((statement: unknown) => (tx.query as (given: unknown) => unknown)(statement));
        await emitDeliveries({ query, isTransaction: true } as unknown as Transaction, [
          input(SAMPLE_EVENTS.completion, more),
        ]);
        return query.mock.calls.length;
      });
    expect(await count({})).toBe(1);
    expect(await count({ callbackUrl: "https://callback.example/done" })).toBe(2);
  });
});

import { beforeAll, beforeEach, expect, it } from "vitest";
import { type DeliverySeed, seedDelivery, seedProject, seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { db } from "@/lib/db/pool";
import { newWebhookSecret } from "@/lib/domain/webhook-signature";
import { redispatchDeliveries } from "@/lib/services/deliveries/redispatch-deliveries";

const GRACE_SECONDS = 120;
let owner: { accountId: string; projectId: string };

useServiceDatabase();
beforeAll(async () => {
  owner = await seedProject();
});
beforeEach(async () => {
  await db().query("DELETE FROM webhook_deliveries");
  await db().query("DELETE FROM outbox_events");
});

const add = async (more: Partial<DeliverySeed> = {}) =>
  (await seedDelivery({ ...owner, url: "https://receiver.example/in", overdueSeconds: GRACE_SECONDS + 60, ...more }))
    .id;

async function dispatched(): Promise<string[]> {
  const { rows } = await db().query<{ id: string }>("SELECT data->>'deliveryId' AS id FROM outbox_events ORDER BY 1");
  return rows.map(({ id }) => id);
}

it("hands over what is overdue beyond the grace, and nothing else", async () => {
  const registrationId = await seedRegistration({
    ...owner,
    url: "https://receiver.example/in",
    secret: newWebhookSecret(),
  });
  const overdue = await add({ registrationId });
  await add({ overdueSeconds: GRACE_SECONDS - 60 });
  await add({ overdueSeconds: -600 });
  for (const status of ["delivered", "failed", "held"]) await add({ status });
  expect(await redispatchDeliveries()).toBe(1);
  const { rows } = await db().query("SELECT name, data FROM outbox_events");
  expect(rows).toEqual([
    {
      name: "delivery/ready",
      data: { deliveryId: overdue, round: 1, receiver: `${owner.accountId} webhook 0`, priority: 600 },
    },
  ]);
});

it("hands over once, also when several processes sweep at the same time", async () => {
  const ids: string[] = [];
  for (let index = 0; index < 60; index += 1) ids.push(await add());
  const counts = await Promise.all([1, 2, 3, 4].map(() => redispatchDeliveries()));
  expect(counts.reduce((sum, count) => sum + count)).toBe(60);
  expect(await redispatchDeliveries()).toBe(0);
  expect(await dispatched()).toEqual(ids.sort());
});

it("leaves alone what is being attempted just now, but not what a dead process left", async () => {
  const [working, dead] = [await add(), await add()];
  await db().query(
    `INSERT INTO webhook_attempts (delivery_id, round, number, started_at, request_headers)
     VALUES ($1, 1, 1, now(), '{}'), ($2, 1, 1, now() - interval '1 minute', '{}')`,
    [working, dead],
  );
  expect(await redispatchDeliveries()).toBe(1);
  expect(await dispatched()).toEqual([dead]);
});

it("takes as much of each account that calls one address: what hangs for one holds up no other", async () => {
  const other = await seedProject();
  for (let index = 0; index < 5; index += 1) {
    await add({ url: "https://relay.example/in", overdueSeconds: 9_000 });
    await add({ ...other, url: "https://relay.example/in" });
  }
  expect(await redispatchDeliveries({ limitPerReceiver: 3 })).toBe(6);
});

it("takes a bounded batch, and no more of one receiver than it can use", async () => {
  for (let index = 0; index < 8; index += 1) await add({ url: "https://slow.example/in", overdueSeconds: 9_000 });
  const others = [await add({ url: "https://a.example/" }), await add({ url: "https://b.example/" })];
  expect(await redispatchDeliveries({ limitPerReceiver: 3 })).toBe(5);
  expect(await dispatched()).toEqual(expect.arrayContaining(others));
  expect(await redispatchDeliveries({ limitPerReceiver: 3, limit: 2 })).toBe(2);
  expect(await redispatchDeliveries({ graceSeconds: 8_000 })).toBe(3);
});

import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { seedDelivery, seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { staffDeliveryListQuery } from "@/lib/contracts/staff";
import { db } from "@/lib/db/pool";
import { newId } from "@/lib/domain/ids";
import { createProject } from "@/lib/services/projects/create-project";
import { listAllDeliveries } from "@/lib/services/staff/list-all-deliveries";

useServiceDatabase();

describe("one delivery", () => {
  it("is found by its id and by the X-Service-Delivery that its receiver saw, in its account alone if one is named", async () => {
    const [account, other] = [await createTestAccount(), await createTestAccount()];
    const { id, deliveryUuid } = await seedDelivery({ ...account, url: "https://client.example/hook" });
    await seedDelivery({ ...account, url: "https://client.example/hook" });
    const found = async (query: object) =>
      (await listAllDeliveries(staffDeliveryListQuery.parse(query))).data.map((delivery) => delivery.id);
    for (const name of [id, deliveryUuid, deliveryUuid.toUpperCase(), ` ${id} `]) {
      expect(await found({ id: name })).toEqual([id]);
      expect(await found({ id: name, accountId: account.accountId })).toEqual([id]);
      expect(await found({ id: name, accountId: other.accountId })).toEqual([]);
    }
    for (const nothing of [newId("delivery"), randomUUID(), "dlv_", deliveryUuid.slice(1)]) {
      expect(await found({ id: nothing })).toEqual([]);
    }
  });
});

it("deliveries are found by the session that they tell of, their receiver and the day on which they were made", async () => {
  const account = await createTestAccount();
  const url = "https://client.example/hook";
  const registrationId = await seedRegistration({ ...account, url, secret: "whsec_seeded" });
  const { id } = await seedDelivery({ ...account, url, registrationId });
  await seedDelivery({ ...account, url });
  const sessionId = newId("session");
  await db().query("UPDATE webhook_deliveries SET session_id = $2, created_at = '2026-03-03T14:30:00Z' WHERE id = $1", [
    ...[id, sessionId],
  ]);
  const { accountId } = account;
  for (const filter of [
    { sessionId },
    { webhookId: registrationId },
    { from: "2026-03-03", to: "2026-03-03", accountId },
  ]) {
    const { data } = await listAllDeliveries(staffDeliveryListQuery.parse(filter));
    expect(data.map((delivery) => [delivery.id, delivery.sessionId])).toEqual([[id, sessionId]]);
  }
});

describe("the deliveries of an account", () => {
  it("are those of all its projects, each once in their pages, newest first, and nobody else's", async () => {
    const [account, other] = [await createTestAccount(), await createTestAccount()];
    const { id: projectId } = await createProject({ kind: "system" }, account, { name: "Second" });
    const url = "https://client.example/hook";
    const ids: string[] = [];
    for (let number = 0; number < 9; number++) {
      const of = number % 3 === 0 ? { ...account, projectId } : account;
      const { id } = await seedDelivery({ ...of, url });
      // Several of the same moment, over projects.
      await db().query(
        "UPDATE webhook_deliveries SET created_at = now() - interval '1 hour' - $2 * interval '1 s', status = $3 WHERE id = $1",
        [id, Math.floor(number / 4), number % 2 ? "failed" : "delivered"],
      );
      ids.push(id);
      await seedDelivery({ ...other, url });
    }
    for (const status of [undefined, "failed", "held"] as const) {
      for (const limit of [1, 2, 9]) {
        const found = [];
        let cursor: string | undefined;
        do {
          const page = await listAllDeliveries({ accountId: account.accountId, status, limit, cursor });
          found.push(...page.data);
          cursor = page.nextCursor ?? undefined;
        } while (cursor);
        const expected = ids.filter((_, number) => status === undefined || (status === "failed" && number % 2 === 1));
        expect(found.map(({ id }) => id).sort()).toEqual(expected.sort());
        const order = found.map(({ createdAt, id }) => `${createdAt} ${id}`);
        expect(order).toEqual(order.toSorted().reverse());
      }
    }
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { enqueueEvents } from "@/lib/db/outbox";
import { db, inTransaction } from "@/lib/db/pool";
import { relayBatch } from "@/lib/services/outbox/relay-outbox";
import type { QueueEvent } from "@/lib/services/outbox/relay-wake";

const DATA = { turnId: "trn_1", sessionId: "ses_1", accountId: "acc_1" };

useServiceDatabase();

beforeEach(async () => {
  await db().query("DELETE FROM outbox_events");
  await inTransaction((tx) => enqueueEvents(tx, [{ name: "turn/ready", data: DATA }]));
});

const rows = async () =>
  (await db().query("SELECT attempts, extract(epoch FROM available_at - now()) AS seconds FROM outbox_events")).rows;

describe("handing the outbox over", () => {
  it("takes a row out once the queue has it, and not before", async () => {
    const sent: QueueEvent[] = [];
    const send = async (events: QueueEvent[]) => {
      sent.push(...events);
      expect(await rows()).toHaveLength(1);
    };
    expect(await relayBatch({ send })).toBe(1);
    expect(sent).toMatchObject([{ name: "turn/ready", data: DATA }]);
    expect(await rows()).toEqual([]);
    expect(await relayBatch({ send })).toBe(0);
  });

  it("has a row that the queue refused back within a second", async () => {
    const refusal = new Error("refused");
    await expect(relayBatch({ send: () => Promise.reject(refusal) })).rejects.toBe(refusal);
    const [row] = await rows();
    expect(row.attempts).toBe(1);
    expect(Number(row.seconds)).toBeGreaterThan(0);
    expect(Number(row.seconds)).toBeLessThanOrEqual(1);
  });

  it("takes no row that another process is handing over, before half a minute has passed", async () => {
    let others = -1;
    const send = async () => {
      others = await relayBatch({ send: async () => {} });
      expect(Number((await rows())[0].seconds)).toBeGreaterThan(20);
    };
    await relayBatch({ send });
    expect(others).toBe(0);
  });
});

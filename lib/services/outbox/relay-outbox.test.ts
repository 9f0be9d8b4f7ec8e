import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { keptPlan } from "@/e2e/support/kept-plan";
import { onOtherClock } from "@/e2e/support/other-clock";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { enqueueBehind, enqueueEvents, IS_BEHIND } from "@/lib/db/outbox";
import { db, inTransaction, logDb } from "@/lib/db/pool";
import { type Relay, type RelayOptions, relayAll, relayBatch, startRelay } from "@/lib/services/outbox/relay-outbox";
import { type QueueEvent, wakeRelay } from "@/lib/services/outbox/relay-wake";

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

  it("says when it was written, also on a machine whose clock is ahead: Inngest lets what is of a later time wait for it", async () => {
    const send = vi.fn(async (_: QueueEvent[]) => {});
    await db().query("DELETE FROM outbox_events");
    await onOtherClock(1, async () => {
      await inTransaction((tx) => enqueueEvents(tx, [{ name: "turn/ready", data: DATA }]));
      await relayBatch({ send });
    });
    const { ts = Number.POSITIVE_INFINITY } = send.mock.lastCall?.[0][0] ?? {};
    expect(Math.abs(ts - Date.now())).toBeLessThan(600_000);
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

describe("a company's flood", () => {
  it("keeps nothing that happens now waiting, and is gone through from its oldest", async () => {
    const of = (turnId: string) => ({ name: "turn/ready" as const, data: { ...DATA, turnId } });
    await inTransaction((tx) =>
      enqueueEvents(
        tx,
        Array.from({ length: 1_000 }, () => of("trn_flood")),
      ),
    );
    await db().query("UPDATE outbox_events SET available_at = now() - interval '10 seconds'");
    await db().query(
      "UPDATE outbox_events SET available_at = now() - interval '1 minute' WHERE data->>'turnId' = 'trn_1'",
    );
    await inTransaction((tx) => enqueueEvents(tx, [of("trn_now")]));
    const sent: unknown[] = [];
    const send = async (events: QueueEvent[]) => void sent.push(...events.map(({ data }) => data.turnId));
    await relayAll({ send });
    expect(sent).toHaveLength(1_002);
    expect(sent.slice(0, 200)).toContain("trn_1");
    expect(sent.slice(200, 400)).toContain("trn_now");
  });

  it("takes what happens while a flood is still being written before what is written of it later", async () => {
    const flood = () =>
      inTransaction((tx) =>
        enqueueBehind(
          tx,
          Array.from({ length: 300 }, () => readyAgain),
        ),
      );
    const readyAgain = { name: "mail/ready", data: { mailId: "mail_old" } } as const;
    const batches: string[][] = [];
    const send = async (events: QueueEvent[]) => {
      batches.push(events.map(({ name }) => name));
      if (batches.length === 1) {
        await inTransaction((tx) => enqueueEvents(tx, [{ name: "turn/ready", data: DATA }]));
        await flood();
      }
    };
    await db().query("DELETE FROM outbox_events");
    await flood();
    await relayAll({ send });
    expect(batches.flat()).toHaveLength(601);
    expect(batches[1]).toContain("turn/ready");
  });
});

describe("the relay", () => {
  /** Longer than any test: what is handed over was not found by looking now and then. */
  const NO_POLL = 600;
  let relay: Relay | undefined;

  afterEach(() => relay?.stop());

  function start(options: Partial<RelayOptions>): RelayOptions["onError"] {
    const onError = vi.fn();
    relay = startRelay({ send: async () => {}, onError, pollSeconds: NO_POLL, ...options });
    return onError;
  }

  it.each(["oldest", "newest", "oldest-news", "newest-news", "oldest-behind", "newest-behind"] as const)(
    "looks once for the %s that are due, with a plan made while there were none",
    async (end) => {
      await db().query("ANALYZE outbox_events");
      await relayBatch({ send: async () => {} }, end);
      const plan = await keptPlan(logDb(), `claim-outbox-${end}`);
      expect(plan).toContain("InitPlan");
      expect(plan).not.toContain("Nested Loop");
    },
  );

  it("gives a queue that is elsewhere what is behind batch by batch, and what is news at once", async () => {
    const again = { name: "mail/ready", data: { mailId: "mail_old" } } as const;
    await inTransaction((tx) =>
      enqueueBehind(
        tx,
        Array.from({ length: 450 }, () => again),
      ),
    );
    const sent: QueueEvent[] = [];
    const send = async (events: QueueEvent[]) => void sent.push(...events);
    start({ send });
    const names = () => [sent.filter(({ name }) => name === "turn/ready").length, sent.length];
    await expect.poll(names).toEqual([1, 101]);
    await inTransaction((tx) => enqueueEvents(tx, [{ name: "turn/ready", data: DATA }]));
    wakeRelay();
    await expect.poll(() => names()[0]).toBe(2);
  });

  it("lets nobody who has something sent again wait until another's flood of it is through", async () => {
    const clock = performance.now.bind(performance);
    let later = 0;
    const spy = vi.spyOn(performance, "now").mockImplementation(() => clock() + later);
    onTestFinished(() => spy.mockRestore());
    const again = (mailId: string) => ({ name: "mail/ready", data: { mailId } }) as const;
    await inTransaction((tx) =>
      enqueueBehind(
        tx,
        Array.from({ length: 450 }, () => again("mail_flood")),
      ),
    );
    await inTransaction((tx) => enqueueBehind(tx, [again("mail_other")]));
    const batches: unknown[][] = [];
    start({
      send: async (events) => void batches.push(events.map(({ data }) => data.mailId)),
      // The flood's receiver hangs.
      haveMostBegun: async () => false,
    });
    const behind = () => batches.filter((batch) => batch.some((mailId) => mailId !== undefined));
    for (const count of [1, 2, 3]) {
      await expect.poll(() => behind().length).toBe(count);
      later += 60_000;
      wakeRelay();
    }
    expect(behind().map((batch) => batch.includes("mail_other"))).toEqual([false, true, false]);
  });

  it("gives a queue that refuses what is behind all the same what is news", async () => {
    await inTransaction((tx) => enqueueBehind(tx, [{ name: "mail/ready", data: { mailId: "mail_old" } }]));
    const sent: string[] = [];
    const onError = start({
      send: async (events) => {
        if (events.some(({ name }) => name === "mail/ready")) throw new Error("refused");
        sent.push(...events.map(({ name }) => name));
      },
    });
    await expect.poll(() => onError).toHaveBeenCalled();
    expect(sent).toEqual(["turn/ready"]);
  });

  it("puts what is behind back behind where the queue refuses it", async () => {
    await db().query("DELETE FROM outbox_events");
    await inTransaction((tx) => enqueueBehind(tx, [{ name: "mail/ready", data: { mailId: "mail_old" } }]));
    const send = () => Promise.reject(new Error("refused"));
    await expect(relayBatch({ send }, "oldest-behind")).rejects.toThrow("refused");
    const { rows: behind } = await db().query(`SELECT attempts FROM outbox_events WHERE ${IS_BEHIND}`);
    expect(behind).toEqual([{ attempts: 1 }]);
  });

  it("hands over at once what has waited for days while the queue was away", async () => {
    await inTransaction((tx) =>
      enqueueEvents(
        tx,
        Array.from({ length: 450 }, () => ({ name: "turn/ready", data: DATA }) as const),
      ),
    );
    await db().query("UPDATE outbox_events SET available_at = now() - interval '3 days'");
    const sent: QueueEvent[] = [];
    start({ send: async (events) => void sent.push(...events), haveMostBegun: async () => false });
    await expect.poll(() => sent.length).toBeGreaterThanOrEqual(450);
  });

  it("hands over more than one batch takes without waiting in between", async () => {
    await db().query(
      `INSERT INTO outbox_events (id, name, data) SELECT 'evt_' || n, 'turn/ready', '{}' FROM generate_series(1, 250) AS n`,
    );
    start({});
    await expect.poll(rows).toEqual([]);
  });

  it("tells of a failure, and hands over what it left when it is woken", async () => {
    const refusal = new Error("refused");
    let isAway = true;
    const onError = start({ send: async () => (isAway ? Promise.reject(refusal) : undefined) });
    await expect.poll(() => onError).toHaveBeenCalledWith(refusal);
    isAway = false;
    await db().query("UPDATE outbox_events SET available_at = now()");
    wakeRelay();
    await expect.poll(rows).toEqual([]);
  });

  it("moves what it is told of at once, and looks into the table itself when that fails", async () => {
    const told = { id: "evt_told", name: "turn/ready", data: DATA };
    const asked: string[][] = [];
    const move = async (events: QueueEvent[]) => {
      asked.push(events.map(({ id }) => id));
      if (events.includes(told)) throw new Error("away");
      await db().query("DELETE FROM outbox_events WHERE id = ANY ($1)", [events.map(({ id }) => id)]);
    };
    start({ move });
    await expect.poll(rows).toEqual([]);
    await db().query("INSERT INTO outbox_events (id, name, data) VALUES ($1, $2, $3)", [told.id, told.name, told.data]);
    wakeRelay([told]);
    await expect.poll(rows).toEqual([]);
    expect(asked.slice(1)).toEqual([[told.id], [told.id]]);
  });

  it("has stopped when what it was handing over is taken, and hands over nothing that comes later", async () => {
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const move = vi.fn(() => taken);
    start({ move });
    await expect.poll(() => move).toHaveBeenCalled();
    let hasStopped = false;
    const stopping = relay?.stop().then(() => {
      hasStopped = true;
    });
    wakeRelay([{ id: "evt_late", name: "turn/ready", data: DATA }]);
    await rows();
    expect(hasStopped).toBe(false);
    take();
    await stopping;
    expect(move).toHaveBeenCalledTimes(1);
  });
});
